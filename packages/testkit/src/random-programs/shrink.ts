import { keptSteps, type Program } from './program.ts';

/**
 * The program with as few of its calls as still fail: halves of it are left out first, then ever smaller parts, at last
 * single calls until none can go. The calls that stay keep their numbers, so that what they remember of each other
 * stays true.
 *
 * `program` is known to fail. `stillFails` is asked once for every part that might go, one after the other.
 */
export async function shrink(
  program: Program,
  stillFails: (smaller: Program) => Promise<boolean>,
): Promise<Program> {
  const fails = (kept: readonly number[]) => stillFails({ ...program, kept });
  let kept = keptSteps(program);
  let size = Math.floor(kept.length / 2);
  while (size > 0) {
    const fewer = await withoutParts(kept, size, fails);
    const isDone = size > 1 || fewer.length === kept.length;
    size = isDone ? Math.floor(size / 2) : 1;
    kept = fewer;
  }
  return { ...program, kept };
}

/** From the end on: a call has no effect on those before it. */
async function withoutParts(
  all: readonly number[],
  size: number,
  fails: (kept: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept = all;
  for (let end = all.length; end > 0; end -= size) {
    const fewer = kept.filter((_, index) => index < end - size || index >= end);
    if (fewer.length > 0 && (await fails(fewer))) kept = fewer;
  }
  return kept;
}
