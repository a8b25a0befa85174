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
