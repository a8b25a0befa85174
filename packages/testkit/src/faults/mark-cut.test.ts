import { expect, test } from 'vitest';
import type { FaultCut } from './fault.ts';
import { markCut } from './mark-cut.ts';

async function* body() {
  for (const chunk of ['one\ntwo\n', 'three\nfour', '\n']) yield Buffer.from(chunk);
}

async function marked(cut?: FaultCut): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of markCut(body(), cut)) {
    pieces.push(piece === 'cut' ? '|' : Buffer.from(piece).toString());
  }
  return pieces;
}

test('markCut() leaves a body whole that is not cut, or ends before', async () => {
  expect(await marked()).toEqual(['one\ntwo\n', 'three\nfour', '\n']);
  expect((await marked({ afterBytes: 100, how: 'end' })).join('')).not.toContain('|');
  expect((await marked({ afterLines: 5, how: 'end' })).join('')).not.toContain('|');
});

test.each([
  [{ afterBytes: 0 }, '|one\ntwo\nthree\nfour\n'],
  [{ afterBytes: 2 }, 'on|e\ntwo\nthree\nfour\n'],
  [{ afterBytes: 8 }, 'one\ntwo\n|three\nfour\n'],
  [{ afterBytes: 9 }, 'one\ntwo\nt|hree\nfour\n'],
  [{ afterLines: 0 }, '|one\ntwo\nthree\nfour\n'],
  [{ afterLines: 1 }, 'one\n|two\nthree\nfour\n'],
  [{ afterLines: 2 }, 'one\ntwo\n|three\nfour\n'],
  [{ afterLines: 3 }, 'one\ntwo\nthree\n|four\n'],
  [{ afterLines: 4 }, 'one\ntwo\nthree\nfour\n|'],
])('markCut() marks the place %o', async (place, expected) => {
  expect((await marked({ ...place, how: 'end' })).join('')).toBe(expected);
});

test('markCut() marks a place as soon as it is reached, without waiting for more', async () => {
  const pieces = markCut(body(), { afterLines: 2, how: 'end' })[Symbol.asyncIterator]();
  await pieces.next();
  expect((await pieces.next()).value).toBe('cut');
  await pieces.return?.();
});
