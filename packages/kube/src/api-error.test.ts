import { expect, test } from 'vitest';
import { ApiError, isAlreadyExists, isConflict, isNotFound } from './api-error.ts';

const refusal = (code: number, reason: string) => new ApiError({ code, reason, message: 'no' });

test('isConflict() and isAlreadyExists() tell the two 409 apart', () => {
  const [conflict, exists] = [refusal(409, 'Conflict'), refusal(409, 'AlreadyExists')];
  expect([conflict, exists].map(isConflict)).toEqual([true, false]);
  expect([conflict, exists].map(isAlreadyExists)).toEqual([false, true]);
});

test.each([isConflict, isAlreadyExists, isNotFound])('%s() takes no other failure for it', (is) => {
  const others = [refusal(403, 'Forbidden'), refusal(500, ''), new Error('no'), undefined];
  expect(others.filter(is)).toEqual([]);
});

test('ApiError bounds what the server says', () => {
  const error = new ApiError({ code: 403, reason: 'R'.repeat(500), message: 'é'.repeat(1e6) });
  expect(Buffer.byteLength(error.message)).toBeLessThanOrEqual(32 * 1024);
  expect(Buffer.byteLength(error.reason)).toBeLessThanOrEqual(128);
});

test('ApiError takes no other types than those of a Status', () => {
  const status: object = { code: '404', reason: { a: 1 }, message: ['x'] };
  expect(new ApiError(status)).toMatchObject({ code: 0, reason: '' });
  expect(new ApiError(status).message).toBe('The server answered 0');
});
