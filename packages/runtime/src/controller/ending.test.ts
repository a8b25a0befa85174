import { ApiError } from '@liqo/kube';
import { expect, test } from 'vitest';
import { endingOf } from './ending.ts';
import { TerminalError } from './outcome.ts';

const conflict = new ApiError({ code: 409, reason: 'Conflict' });
const exists = new ApiError({ code: 409, reason: 'AlreadyExists' });
const busy = new ApiError({ code: 429 }, { retryAfterMs: 3000 });

test.each([
  ['a conflict', conflict, { type: 'conflict' }],
  [
    'a conflict in a sentence',
    new Error('Cannot label', { cause: conflict }),
    { type: 'conflict' },
  ],
  ['an object that exists already', exists, { type: 'failed', failure: 'ordinary' }],
  ['a busy server', busy, { type: 'failed', failure: 'ordinary', retryAfterMs: 3000 }],
  [
    'a busy server in a sentence',
    new Error('Cannot label', { cause: busy }),
    { type: 'failed', retryAfterMs: 3000 },
  ],
  [
    'what only a person can mend, even when a conflict caused it',
    new TerminalError('Cannot', { reason: 'NameTaken', cause: conflict }),
    { type: 'failed', failure: 'terminal' },
  ],
  ['a mistake in the code', new TypeError('x is undefined'), { type: 'failed', failure: 'panic' }],
  ['something that is no error', 'oops', { type: 'failed', failure: 'panic' }],
  ['anything else', new Error('boom'), { type: 'failed', failure: 'ordinary', retryAfterMs: 0 }],
])('endingOf() recognises %s', (_, error, expected) => {
  expect(endingOf(error)).toMatchObject({ ...expected, error });
});

test('endingOf() does not follow causes in a circle', () => {
  const a = new Error('a');
  const b = new Error('b', { cause: a });
  a.cause = b;
  expect(endingOf(a)).toMatchObject({ type: 'failed', failure: 'ordinary' });
});
