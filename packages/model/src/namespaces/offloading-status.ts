import type { NamespaceMap, NamespaceOffloading, OffloadingPhase } from '@liqo/api';
import {
  findCondition,
  type NewCondition,
  oneLine,
  ownMember,
  removeCondition,
  setCondition,
} from '@liqo/kube';
import { isBeingDeleted } from './plan-remote-namespace.ts';
import type { Provider } from './select-providers.ts';

export type OffloadingStatus = NonNullable<NamespaceOffloading['status']>;
type Conditions = NonNullable<OffloadingStatus['remoteNamespacesConditions']>[string];
type Condition = Conditions[number];
type Mapping = NonNullable<NonNullable<NamespaceMap['status']>['currentMapping']>[string];

export interface OffloadingFacts {
  readonly namespace: string;
  readonly offloading: NamespaceOffloading;
  /** Undefined when the namespace cannot have one: the fault says why. */
  readonly remoteName: string | undefined;
  readonly fault?: { readonly reason: string; readonly message: string };
  readonly providers: readonly Provider[];
  readonly isSelected: (provider: Provider) => boolean;
  readonly now: string;
}

/** What a NamespaceOffloading says of itself: for each provider what is wanted and what there is, and the sum of it. */
export function offloadingStatus(facts: OffloadingFacts): OffloadingStatus {
  const { offloading, providers, remoteName } = facts;
  const entries = providers.flatMap((provider) => {
    const conditions = providerConditions(facts, provider);
    return conditions.length > 0 ? [[provider.clusterID, conditions] as const] : [];
  });
  const reflection = reflectionOf(facts);
  const status = {
    ...(reflection && { reflectionConditions: reflection }),
    ...(remoteName !== undefined && { remoteNamespaceName: remoteName }),
    remoteNamespacesConditions: Object.fromEntries(entries),
    observedGeneration: offloading.metadata?.generation ?? 0,
  };
  return { ...status, offloadingPhase: phaseOf(facts, status) };
}

/** What virtual kubelets have written of providers that still have the namespace. */
function reflectionOf({ namespace, offloading, providers }: OffloadingFacts) {
  const known = Object.entries(offloading.status?.reflectionConditions ?? {});
  const having = new Set(providersWithNamespace(namespace, providers));
  const kept = known.filter(([clusterID]) => having.has(clusterID));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** What is left to wait for before a NamespaceOffloading may go: the providers that still have the namespace. */
export function providersWithNamespace(
  namespace: string,
  providers: readonly Provider[],
): readonly string[] {
  return providers
    .filter((provider) => currentMapping(provider, namespace) !== undefined)
    .map((provider) => provider.clusterID);
}

function providerConditions(facts: OffloadingFacts, provider: Provider): Conditions {
  const { namespace, offloading, now } = facts;
  const before = ownMember(offloading.status?.remoteNamespacesConditions, provider.clusterID) ?? [];
  const mapping = currentMapping(provider, namespace);
  const selected = isWanted(facts, provider);
  if (!selected && mapping === undefined && isTerminating(offloading)) return [];
  const required = setCondition(before, requirement(selected), now);
  const ready = readiness(facts, selected, mapping);
  return ready ? setCondition(required, ready, now) : removeCondition(required, 'Ready');
}

function isWanted(facts: OffloadingFacts, provider: Provider): boolean {
  return !isTerminating(facts.offloading) && facts.isSelected(provider);
}

function requirement(selected: boolean): NewCondition<Condition> {
  return selected
    ? {
        type: 'OffloadingRequired',
        status: 'True',
        reason: 'ClusterSelected',
        message: 'The remote cluster has been selected through the ClusterSelector field',
      }
    : {
        type: 'OffloadingRequired',
        status: 'False',
        reason: 'ClusterNotSelected',
        message: 'The remote cluster has not been selected through the ClusterSelector field',
      };
}

function readiness(
  facts: OffloadingFacts,
  selected: boolean,
  mapping: Mapping | undefined,
): NewCondition<Condition> | undefined {
  if (selected && facts.fault) return { type: 'Ready', status: 'False', ...facts.fault };
  if (mapping === undefined && !selected) return undefined;
  if (mapping?.phase === 'Accepted' && !isBeingDeleted(mapping) && selected) {
    return {
      type: 'Ready',
      status: 'True',
      reason: 'NamespaceCreated',
      message: 'Namespace correctly offloaded to the remote cluster',
    };
  }
  return { type: 'Ready', status: 'False', ...whyNotReady(selected, mapping) };
}

const maxReasonBytes = 128;

function whyNotReady(selected: boolean, mapping: Mapping | undefined) {
  const { phase, message } = mapping ?? {};
  if (phase === 'CreationLoopBackOff') {
    const unsaid = 'The remote cluster cannot create the namespace; it does not say why';
    const reason = oneLine(mapping?.reason ?? 'CreationLoopBackOff', maxReasonBytes);
    return { reason, message: oneLine(message ?? unsaid) };
  }
  if ((mapping && isBeingDeleted(mapping)) || !selected) {
    const text = 'The remote cluster is deleting the namespace and everything in it';
    return { reason: 'Terminating', message: oneLine(message ?? text) };
  }
  return {
    reason: 'Creating',
    message: 'Waiting for the remote cluster to create the namespace',
  };
}

function phaseOf(facts: OffloadingFacts, status: OffloadingStatus): OffloadingPhase {
  if (isTerminating(facts.offloading)) return 'Terminating';
  const all = Object.values(status.remoteNamespacesConditions ?? {});
  const required = all.filter((conditions) => is(conditions, 'OffloadingRequired', 'True'));
  if (required.length === 0) return 'NoClusterSelected';
  if (required.every((conditions) => is(conditions, 'Ready', 'True'))) return 'Ready';
  const failed = required.filter(hasFailed).length;
  if (failed === required.length) return 'AllFailed';
  return failed > 0 ? 'SomeFailed' : 'InProgress';
}

function is(conditions: Conditions, type: Condition['type'], status: Condition['status']): boolean {
  return findCondition(conditions, type)?.status === status;
}

function hasFailed(conditions: Conditions): boolean {
  const ready = findCondition(conditions, 'Ready');
  return ready?.status === 'False' && !['Creating', 'Terminating'].includes(ready.reason ?? '');
}

function isTerminating({ metadata }: NamespaceOffloading): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function currentMapping(provider: Provider, namespace: string): Mapping | undefined {
  return ownMember(provider.namespaceMap?.status?.currentMapping, namespace);
}
