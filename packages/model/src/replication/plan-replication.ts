import { annotations, labels } from '@liqo/api';
import { deepEqual, type KubeObject, type Stored } from '@liqo/kube';
import { appliedMetadata, applyMetadata, type WantedMetadata } from '../applied-metadata.ts';

/** A kind whose spec goes to the peer and whose status comes back. */
export interface ReplicatedObject extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** Between whom, and where the copies are at the peer. */
export interface ReplicationRoute {
  readonly localClusterID: string;
  readonly remoteNamespace: string;
}

export type ReplicationStep<T extends ReplicatedObject> =
  | { readonly type: 'create'; readonly copy: T }
  | { readonly type: 'update'; readonly copy: T }
  | { readonly type: 'refuse'; readonly reason: string; readonly message: string }
  | { readonly type: 'inStep' };

/**
 * What the copy of an object needs: spec, labels and annotations as in the original. Somebody else's object of that name
 * is never touched.
 */
export function planReplication<T extends ReplicatedObject>(
  original: Stored<T>,
  existing: Stored<T> | undefined,
  route: ReplicationRoute,
): ReplicationStep<T> {
  const wanted = wantedMetadata(original, route);
  if (!existing) return { type: 'create', copy: forgeCopy(original, wanted, route) };
  if (!isCopyFrom(existing, route.localClusterID)) {
    const message = `"${existing.metadata.name}" exists at the peer and is not a copy from this cluster`;
    return { type: 'refuse', reason: 'NameTaken', message };
  }
  const metadata = { ...existing.metadata, ...applyMetadata(existing.metadata, wanted) };
  const copy = { ...existing, metadata, spec: original.spec };
  return deepEqual(copy, existing) ? { type: 'inStep' } : { type: 'update', copy };
}

/** Whether an object at the peer is a copy of one of ours: only such a one may be changed or deleted. */
export function isCopyFrom({ metadata }: KubeObject, localClusterID: string): boolean {
  const marks = metadata?.labels ?? {};
  return marks[labels.replicationOrigin] === localClusterID && marks[labels.replicated] === 'true';
}

function forgeCopy<T extends ReplicatedObject>(
  { apiVersion, kind, metadata, spec }: Stored<T>,
  wanted: WantedMetadata,
  { remoteNamespace: namespace }: ReplicationRoute,
): T {
  const { name } = metadata;
  const head = { name, namespace, ...applyMetadata(undefined, wanted) };
  return { apiVersion, kind, metadata: head, spec } as unknown as T;
}

/** The peer may have labels and annotations of its own on the copy: they stay. */
function wantedMetadata(
  { metadata }: Stored<ReplicatedObject>,
  { localClusterID }: ReplicationRoute,
): WantedMetadata {
  const { [labels.ownership]: _, ...kept } = metadata.labels ?? {};
  return {
    labels: {
      ...kept,
      [labels.replication]: 'false',
      [labels.replicated]: 'true',
      [labels.replicationOrigin]: localClusterID,
      [labels.remoteClusterID]: localClusterID,
    },
    annotations: reflectedAnnotations(metadata.annotations ?? {}),
  };
}

/** What is noted down about the original alone is of no use at the peer, and whether a slice is cordoned is decided there. */
function reflectedAnnotations(marks: Readonly<Record<string, string>>) {
  const {
    'kubectl.kubernetes.io/last-applied-configuration': _,
    [appliedMetadata]: __,
    [annotations.cordon]: ___,
    [annotations.cordonTenant]: ____,
    ...others
  } = marks;
  return others;
}
