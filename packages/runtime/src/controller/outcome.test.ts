import { expect, test } from 'vitest';
import { requeueAfter, TerminalError } from './outcome.ts';

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('requeueAfter() refuses %d ms', (delayMs) => {
  expect(() => requeueAfter(delayMs, 'waiting')).toThrow(/Cannot requeue after/);
});

test('TerminalError keeps its reason and its cause', () => {
  const cause = new Error('taken');
  const error = new TerminalError('Cannot twin "shop": the name is taken', {
    reason: 'NameTaken',
    cause,
  });
  expect(error).toMatchObject({ name: 'TerminalError', reason: 'NameTaken', cause });
});
