import { baselineChecks } from './baseline-checks.ts';
import type { Check, PodLike, Violation } from './check.ts';
import type { LevelVersion } from './policy.ts';
import { restrictedChecks } from './restricted-checks.ts';

/** The newest version that the standards know something about. */
const newest = 35;

/** Everything about the pod that its level forbids, as of a version, the baseline first. */
export function findViolations(policy: LevelVersion, pod: PodLike): readonly Violation[] {
  const minor = policy.version === 'latest' ? newest : Math.min(policy.version, newest);
  return checksOf(policy.level, minor).flatMap((check) => check.find(pod, minor) ?? []);
}

function checksOf(level: LevelVersion['level'], minor: number): readonly Check[] {
  const inForce = (checks: readonly Check[]) =>
    checks.filter(({ since }) => since <= minor).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (level === 'privileged') return [];
  if (level === 'baseline') return inForce(baselineChecks);
  const stricter = inForce(restrictedChecks);
  const replaced = stricter.map(({ replaces }) => replaces);
  return [...inForce(baselineChecks).filter(({ id }) => !replaced.includes(id)), ...stricter];
}

/** `privileged (container "a" must not …), hostPort (…)`. */
export function printViolations(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

export function printReasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}
