import type { Pod, Stored } from '@liqo/kube';
import { findViolations, printReasons } from './find-violations.ts';
import { type LevelVersion, printPolicy } from './policy.ts';

/** As many as the server is willing to look at. */
const maxPods = 3000;

/** What to say about the pods that are in a namespace already when it becomes stricter. */
export function warningsOfPods(
  namespace: string,
  pods: readonly Stored<Pod>[],
  enforce: LevelVersion,
): readonly string[] {
  const checked = oneOfEachOwnerFirst(pods).slice(0, maxPods);
  const offenders = groupByReasons(checked, enforce);
  const total = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${printPolicy(enforce)}"`;
  const partial = `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`;
  return [
    ...(checked.length < pods.length ? [partial] : []),
    ...(offenders.size > 0 ? [total] : []),
    ...[...offenders].map(([reasons, names]) => `${nameAll(names)}: ${reasons}`).sort(),
  ];
}

/** Pods of the same owner are alike. */
function oneOfEachOwnerFirst(pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  const owners = new Set<string>();
  const [first, others]: [Stored<Pod>[], Stored<Pod>[]] = [[], []];
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
    const isLike = owner !== undefined && owners.has(owner);
    if (owner !== undefined) owners.add(owner);
    (isLike ? others : first).push(pod);
  }
  return [...first, ...others];
}

function groupByReasons(
  pods: readonly Stored<Pod>[],
  enforce: LevelVersion,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { metadata, spec } of pods) {
    const reasons = spec ? printReasons(findViolations(enforce, { metadata, spec })) : '';
    if (!reasons) continue;
    groups.set(reasons, [...(groups.get(reasons) ?? []), metadata.name]);
  }
  return groups;
}

function nameAll(names: readonly string[]): string {
  const [first] = names.toSorted();
  const others = names.length - 1;
  if (others === 0) return String(first);
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
