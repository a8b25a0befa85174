import { expect, test } from 'vitest';
import { painter } from './paint.ts';

test.each([
  [false, {}],
  [true, { NO_COLOR: '1' }],
  [true, { TERM: 'dumb' }],
])('painter() paints nothing on a terminal (%s) with %j', (isTerminal, env) => {
  expect(painter({ write: () => true, isTerminal }, env)('red', 'x')).toBe('x');
});

test('painter() paints on a terminal', () => {
  expect(painter({ write: () => true, isTerminal: true }, {})('red', 'x')).toBe(
    '\u001b[31mx\u001b[0m',
  );
});
