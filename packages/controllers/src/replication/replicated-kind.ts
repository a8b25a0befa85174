import { NamespaceMap, Renew, type Resource, ResourceSlice } from '@liqo/api';
import type { ReplicatedObject } from '@liqo/model';

export type ReplicatedKind = Resource<ReplicatedObject>;

/** What goes from a consumer to its providers. */
export const replicatedKinds: readonly ReplicatedKind[] = [
  NamespaceMap as ReplicatedKind,
  ResourceSlice as ReplicatedKind,
  Renew as ReplicatedKind,
];
