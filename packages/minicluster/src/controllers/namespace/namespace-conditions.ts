import { formatTime, setCondition } from '@liqo/kube';
import type { NamespaceCondition } from 'kubernetes-types/core/v1.d.ts';

/** What is left of one kind in a namespace after everything was told to go. */
export interface Remainder {
  readonly plural: string;
  readonly group: string;
  readonly count: number;
  readonly finalizers: readonly string[];
}

export interface DeletionOutcome {
  /** Not counted, as in kube-controller-manager, while pods hold everything else up. */
  readonly remainders: readonly Remainder[];
  readonly waitsForPods?: boolean;
  /** What went wrong, per kind. */
  readonly failures: readonly string[];
  readonly discoveryFailure?: string | undefined;
}

type Finding = Pick<NamespaceCondition, 'status' | 'reason' | 'message'>;

/** The five conditions of a namespace that is being emptied, in the order in which Kubernetes writes them. */
export function planNamespaceConditions(
  present: NamespaceCondition[],
  outcome: DeletionOutcome,
  nowMs: number,
): NamespaceCondition[] {
  return Object.entries(findings(outcome)).reduce(
    (conditions, [type, finding]) =>
      setCondition(conditions, { type, ...finding }, formatTime(nowMs)),
    present,
  );
}

function findings(outcome: DeletionOutcome): Readonly<Record<string, Finding>> {
  return {
    NamespaceDeletionDiscoveryFailure: outcome.discoveryFailure
      ? bad('DiscoveryFailed', outcome.discoveryFailure)
      : good('ResourcesDiscovered', 'All resources successfully discovered'),
    NamespaceDeletionGroupVersionParsingFailure: good(
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    NamespaceDeletionContentFailure: describeFailures(outcome.failures),
    NamespaceContentRemaining: describeContent(outcome.remainders),
    NamespaceFinalizersRemaining: describeFinalizers(outcome.remainders),
  };
}

function describeFailures(failures: readonly string[]): Finding {
  if (failures.length === 0) {
    const message = 'All content successfully deleted, may be waiting on finalization';
    return good('ContentDeleted', message);
  }
  const list = failures.toSorted().join(', ');
  const message = `Failed to delete all resource types, ${failures.length} remaining: ${list}`;
  return bad('ContentDeletionFailed', message);
}

function describeContent(remainders: readonly Remainder[]): Finding {
  if (remainders.length === 0) return good('ContentRemoved', 'All content successfully removed');
  const list = remainders.map(
    ({ plural, group, count }) => `${plural}.${group} has ${count} resource instances`,
  );
  const message = `Some resources are remaining: ${list.toSorted().join(', ')}`;
  return bad('SomeResourcesRemain', message);
}

function describeFinalizers(remainders: readonly Remainder[]): Finding {
  const counts = new Map<string, number>();
  for (const finalizer of remainders.flatMap(({ finalizers }) => finalizers)) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  if (counts.size === 0) {
    return good('ContentHasNoFinalizers', 'All content-preserving finalizers finished');
  }
  const list = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${list.toSorted().join(', ')}`;
  return bad('SomeFinalizersRemain', message);
}

function good(reason: string, message: string): Finding {
  return { status: 'False', reason, message };
}

function bad(reason: string, message: string): Finding {
  return { status: 'True', reason, message };
}
