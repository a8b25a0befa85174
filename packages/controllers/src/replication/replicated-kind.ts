import { NamespaceMap } from '@liqo/api';
import type { Kind } from '@liqo/kube';
import type { ReplicatedObject } from '@liqo/model';

export type ReplicatedKind = Kind<ReplicatedObject>;

/** What goes from a consumer to its providers. */
export const replicatedKinds: readonly ReplicatedKind[] = [NamespaceMap as ReplicatedKind];
