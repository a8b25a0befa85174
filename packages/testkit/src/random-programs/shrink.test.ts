import { expect, test } from 'vitest';
import { generateProgram } from './generate-program.ts';
import type { Program } from './program.ts';
import { shrink } from './shrink.ts';

const long = generateProgram(476);
const count = long.steps.length;

/** Whether it fails is decided by the numbers of the calls that are left. */
async function shrinkWhile(
  fails: (kept: readonly number[]) => boolean,
  program: Program = long,
): Promise<{ readonly kept: readonly number[] | undefined; readonly asked: number }> {
  let asked = 0;
  const { kept } = await shrink(program, async (smaller) => {
    asked++;
    return fails(smaller.kept ?? []);
  });
  return { kept, asked };
}

test('shrink() finds the one call that fails, wherever it is', async () => {
  expect(count).toBeGreaterThan(10);
  for (let guilty = 0; guilty < count; guilty++) {
    expect((await shrinkWhile((kept) => kept.includes(guilty))).kept).toEqual([guilty]);
  }
});

test('shrink() keeps all calls that fail only together', async () => {
  const together = [0, 5, count - 1];
  const { kept } = await shrinkWhile((left) => together.every((one) => left.includes(one)));
  expect(kept).toEqual(together);
});

test('shrink() tries a call again once another one is gone', async () => {
  // The first may go only when the last has gone, which may go only when the one between has.
  const { kept } = await shrinkWhile(
    (left) =>
      left.includes(4) &&
      (left.includes(2) || !left.includes(3)) &&
      (left.includes(1) || !left.includes(2)),
  );
  expect(kept).toEqual([4]);
});

test('shrink() keeps everything of a program that fails only as a whole', async () => {
  const { kept } = await shrinkWhile((left) => left.length === count);
  expect(kept).toEqual(long.steps.map((_, index) => index));
});

test('shrink() goes on from a program that has lost calls already', async () => {
  const part = { ...long, kept: [1, 4, 7] };
  const { kept } = await shrinkWhile((left) => left.includes(4), part);
  expect(kept).toEqual([4]);
});

test('shrink() needs few attempts when few calls matter', async () => {
  expect((await shrinkWhile((left) => left.includes(7))).asked).toBeLessThan(count);
});
