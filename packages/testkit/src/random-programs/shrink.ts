import { keptSteps, type Program } from './program.ts';

/**
 * The program with as few of its calls as still fail. The calls that stay keep their numbers, so that what they remember of
 * each other stays true.
 *
 * `program` is known to fail. `stillFails` is asked once for every part that might go, one after the other.
 */
export async function shrink(
  program: Program,
  stillFails: (smaller: Program) => Promise<boolean>,
): Promise<Program> {
  const kept = await shrinkList(keptSteps(program), (fewer) =>
    stillFails({ ...program, kept: fewer }),
  );
  return { ...program, kept };
}

/**
 * As few of the steps as still fail, in their order: halves are left out first, then ever smaller parts, at last single
 * steps until none can go. All of them together are known to fail; nothing at all is not asked about.
 */
export async function shrinkList<T>(
  steps: readonly T[],
  stillFails: (fewer: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = steps;
  let size = Math.floor(kept.length / 2);
  while (size > 0) {
    const fewer = await withoutParts(kept, size, stillFails);
    const isDone = size > 1 || fewer.length === kept.length;
    size = isDone ? Math.floor(size / 2) : 1;
    kept = fewer;
  }
  return kept;
}

/** From the end on: a step has no effect on those before it. */
async function withoutParts<T>(
  all: readonly T[],
  size: number,
  fails: (fewer: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = all;
  for (let end = all.length; end > 0; end -= size) {
    const fewer = kept.filter((_, index) => index < end - size || index >= end);
    if (fewer.length > 0 && (await fails(fewer))) kept = fewer;
  }
  return kept;
}
