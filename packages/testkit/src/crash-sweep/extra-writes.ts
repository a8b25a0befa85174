import type { ApiCall } from '../faults/api-call.ts';
import type { CrashSite } from './crash-sweep.ts';

/** One write that a story may contain in addition to those of the undisturbed story. */
export interface ExtraWrite {
  /** Why the product has to make it. */
  readonly reason: string;
  readonly matches: (write: ApiCall, site: CrashSite) => boolean;
}

interface WriteComparison {
  readonly site: CrashSite;
  /** By process, in the undisturbed story. */
  readonly expected: ReadonlyMap<string, readonly ApiCall[]>;
  /** By process, in the story with the mishap. Writes that did not reach the server do not count. */
  readonly made: ReadonlyMap<string, readonly ApiCall[]>;
  readonly extraWrites: readonly ExtraWrite[];
  readonly describeWrite: (call: ApiCall) => string;
}

export function describeWriteByKey({ verb, resource, namespace, name }: ApiCall): string {
  return [verb, resource, [namespace, name].filter(Boolean).join('/')].join(' ').trim();
}

/** Every write that the undisturbed story does not have and that no entry allows. Each entry allows one write. */
export function findUnexplainedWrites(comparison: WriteComparison): readonly string[] {
  const { site, made, extraWrites } = comparison;
  const unused = new Set(extraWrites);
  return [...made].flatMap(([process, writes]) =>
    findSurplus(writes, comparison.expected.get(process) ?? [], comparison.describeWrite)
      .filter((write) => {
        const explanation = [...unused].find(({ matches }) => matches(write, site));
        return !(explanation && unused.delete(explanation));
      })
      .map((write) => `"${process}" made an extra write: ${comparison.describeWrite(write)}`),
  );
}

function findSurplus(
  made: readonly ApiCall[],
  expected: readonly ApiCall[],
  describe: (call: ApiCall) => string,
): readonly ApiCall[] {
  const left = new Map<string, number>();
  for (const call of expected) left.set(describe(call), (left.get(describe(call)) ?? 0) + 1);
  return made.filter((call) => {
    const count = left.get(describe(call)) ?? 0;
    left.set(describe(call), count - 1);
    return count <= 0;
  });
}
