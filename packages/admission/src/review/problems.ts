import type { KubeObject } from '@liqo/kube';
import { invalid, unchanged, type Verdict } from './verdict.ts';

/** Why a field is refused. */
export interface Problem {
  /** Of the field: `spec.clusterID`. */
  readonly path: string;
  readonly message: string;
}

const mostNamed = 10;

/** Refuses a request for its problems; without any it is allowed. */
export function refuse(problems: readonly Problem[]): Verdict {
  const [first, ...others] = problems.slice(0, mostNamed);
  if (!first) return unchanged;
  const rest = others.map(({ path, message }) => `; ${path}: ${message}`);
  return invalid(first.path, first.message + rest.join(''));
}

/**
 * The problems of an object that it did not have before. An update that leaves an old problem alone is not refused for it: the
 * object was stored before this rule, or what it is about has changed since.
 */
export function newProblems(
  find: (object: KubeObject) => readonly Problem[],
  {
    object,
    oldObject,
  }: { readonly object: KubeObject; readonly oldObject: KubeObject | undefined },
): readonly Problem[] {
  const problems = find(object);
  if (problems.length === 0 || !oldObject) return problems;
  const before = new Set(find(oldObject).map(({ path }) => path));
  return problems.filter(({ path }) => !before.has(path));
}
