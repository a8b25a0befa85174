import type { KubeObject } from '@liqo/kube';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import { hasFinalizer } from './ownership-graph.ts';

/** What an owner reference is worth. */
export type OwnerState =
  /** The owner is there, and stays as far as its dependents are concerned. */
  | 'solid'
  /** There is no such owner. */
  | 'dangling'
  /** The owner is being deleted and waits for its dependents to go first. */
  | 'waiting';

export type DependentPlan =
  | { readonly action: 'keep' }
  | { readonly action: 'drop-references'; readonly uids: readonly string[] }
  | {
      readonly action: 'delete';
      readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
      /** Its own dependents wait too: without this, a cycle of owners would wait for itself. */
      readonly unblock: boolean;
    };

export interface Dependents {
  readonly any: boolean;
  /** At least one of them waits for its own dependents. */
  readonly anyAwaiting: boolean;
}

/** What becomes of an object, given what its owners are worth: one solid owner is enough to live. */
export function planDependent(
  object: KubeObject,
  owners: readonly (readonly [OwnerReference, OwnerState])[],
  dependents: Dependents,
): DependentPlan {
  if (owners.length === 0) return { action: 'keep' };
  const lost = owners.filter(([, state]) => state !== 'solid');
  if (lost.length === 0) return { action: 'keep' };
  if (lost.length < owners.length) {
    return { action: 'drop-references', uids: lost.map(([{ uid }]) => uid) };
  }
  if (owners.some(([, state]) => state === 'waiting') && dependents.any) {
    const unblock = dependents.anyAwaiting;
    return { action: 'delete', propagationPolicy: 'Foreground', unblock };
  }
  return { action: 'delete', propagationPolicy: inheritedPolicy(object), unblock: false };
}

function inheritedPolicy(object: KubeObject): 'Background' | 'Foreground' | 'Orphan' {
  if (hasFinalizer(object, 'orphan')) return 'Orphan';
  return hasFinalizer(object, 'foregroundDeletion') ? 'Foreground' : 'Background';
}
