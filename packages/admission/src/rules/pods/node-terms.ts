import { deepEqual, type Pod } from '@liqo/kube';

type NodeAffinity = NonNullable<NonNullable<NonNullable<Pod['spec']>['affinity']>['nodeAffinity']>;
export type NodeTerm = NonNullable<
  NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];

/** A term without requirements: Kubernetes lets it match no node. */
const noNode: NodeTerm = {};

/** How many pairs of terms are combined at most: a pod with more is refused. */
export const mostTerms = 256;

/**
 * The terms that match a node exactly if one of `own` and one of `added` do. Without own terms, all nodes count. A term
 * that contains one of the added ones already stays as it is: combining twice gives the same as combining once.
 */
export function combineTerms(
  own: readonly NodeTerm[] | undefined,
  added: readonly NodeTerm[],
): readonly NodeTerm[] {
  const wanted = added.filter(matchesSome);
  if (wanted.length === 0) return [noNode];
  if (own === undefined) return wanted;
  const combined = own.flatMap((term) => {
    if (!matchesSome(term)) return [];
    return wanted.some((other) => contains(term, other)) ? [term] : wanted.map(joinTo(term));
  });
  return combined.length > 0 ? combined : [noNode];
}

function matchesSome({ matchExpressions = [], matchFields = [] }: NodeTerm): boolean {
  return matchExpressions.length + matchFields.length > 0;
}

function contains(term: NodeTerm, other: NodeTerm): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  const isIn = (list: readonly unknown[]) => (one: unknown) =>
    list.some((present) => deepEqual(present, one));
  return (
    (other.matchExpressions ?? []).every(isIn(matchExpressions)) &&
    (other.matchFields ?? []).every(isIn(matchFields))
  );
}

const joinTo =
  (term: NodeTerm) =>
  (other: NodeTerm): NodeTerm => {
    const matchExpressions = [...(term.matchExpressions ?? []), ...(other.matchExpressions ?? [])];
    const matchFields = [...(term.matchFields ?? []), ...(other.matchFields ?? [])];
    return {
      ...(matchExpressions.length > 0 && { matchExpressions }),
      ...(matchFields.length > 0 && { matchFields }),
    };
  };
