import { expect, test } from 'vitest';
import { boundMessages } from './bound-messages.ts';

const long = 'x'.repeat(40_000);
const condition = { type: 'Ready', status: 'False', reason: 'Denied' };

test('boundMessages() cuts the messages of the status and of its conditions at 1 KiB, and keeps them in one line', () => {
  const status = {
    message: `a\u001b[31m\nb${long}`,
    conditions: [{ ...condition, message: long }],
  };
  const bounded = boundMessages({}, status) as typeof status;
  expect(Buffer.byteLength(bounded.message)).toBe(1024);
  expect(bounded.message.slice(0, 8)).toBe('a [31m b');
  expect(Buffer.byteLength(bounded.conditions[0]?.message ?? '')).toBe(1024);
  expect(boundMessages({}, bounded)).toEqual(bounded);
});

test('boundMessages() leaves a condition alone that was there before', () => {
  const foreign = { conditions: [{ ...condition, message: long }] };
  expect(boundMessages(foreign, foreign)).toEqual(foreign);
});

test.each([
  [undefined],
  ['text'],
  [{ phase: 'Running', message: 7, conditions: 'none' }],
  [{ conditions: ['x', null, { type: 'Ready' }] }],
])('boundMessages() leaves %j as it is', (status) => {
  expect(boundMessages(undefined, status)).toEqual(status);
});
