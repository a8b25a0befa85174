import {
  type Client,
  CoreEvent,
  Deployment,
  Job,
  type Kind,
  type KubeObject,
  type ObjectKey,
  Pod,
  ReplicaSet,
  StatefulSet,
  type Stored,
} from '@liqo/kube';
import type { Workload } from './chain.ts';

export type WorkloadKind = 'deployment' | 'replicaset' | 'statefulset' | 'job';

const kinds = {
  deployment: Deployment,
  replicaset: ReplicaSet,
  statefulset: StatefulSet,
  job: Job,
} as const satisfies Readonly<Record<WorkloadKind, unknown>>;

export interface FoundWorkload {
  readonly workload: Workload;
  readonly pods: readonly Stored<Pod>[];
}

/** A workload, its pods, and the Event that says why the last one could not be created. */
export async function readWorkload(
  client: Client,
  { kind, ...key }: ObjectKey & { readonly kind: WorkloadKind },
  signal: AbortSignal,
): Promise<FoundWorkload | undefined> {
  const { namespace, name } = key;
  // What is read here is the same in all of them.
  const wanted = kinds[kind] as unknown as Kind<Deployment>;
  const found = await client.get(wanted, key, signal);
  if (!found) return undefined;
  const [sets, pods] = await Promise.all([
    kind === 'deployment' ? client.list(ReplicaSet, { namespace, signal }) : { items: [] },
    client.list(Pod, { namespace, signal }),
  ]);
  const makers: readonly Stored<KubeObject>[] = [found, ...ownedBy([found], sets.items)];
  const own = ownedBy(makers, pods.items);
  const wantedPods = found.spec?.replicas ?? 1;
  const refusal =
    own.length < wantedPods ? await lastRefusal(client, namespace, makers, signal) : undefined;
  const object = `${wanted.kind} "${name}" in "${namespace}"`;
  const command = `kubectl describe ${kind} ${name} -n ${namespace}`;
  return { workload: { object, wantedPods, pods: own.length, refusal, command }, pods: own };
}

function ownedBy<T extends KubeObject>(
  owners: readonly Stored<KubeObject>[],
  objects: readonly Stored<T>[],
): readonly Stored<T>[] {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid));
  return objects.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uids.has(uid)),
  );
}

async function lastRefusal(
  client: Client,
  namespace: string | undefined,
  makers: readonly Stored<KubeObject>[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const fieldSelector = 'reason=FailedCreate';
  const { items } = await client.list(CoreEvent, { namespace, fieldSelector, signal });
  const uids = new Set(makers.map(({ metadata }) => metadata.uid));
  const own = items.filter(({ involvedObject }) => uids.has(involvedObject.uid ?? ''));
  const byTime = own.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  return byTime.at(-1)?.message;
}

function timeOf({ lastTimestamp, eventTime, metadata }: Stored<CoreEvent>): string {
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}
