import type { Kind, KubeObject, Stored } from '@liqo/kube';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';

export interface GraphNode {
  readonly kind: Kind;
  readonly object: Stored<KubeObject>;
}

/** Who owns whom, by UID: every object that was heard of, and who refers to it, even if it was not. */
export class OwnershipGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    const uids = this.#dependents.get(uid) ?? [];
    return [...uids].flatMap((dependent) => this.#nodes.get(dependent) ?? []);
  }

  put(node: GraphNode): void {
    const { uid } = node.object.metadata;
    this.#unlink(this.#nodes.get(uid));
    this.#nodes.set(uid, node);
    for (const { uid: owner } of ownersOf(node.object)) {
      const dependents = this.#dependents.get(owner) ?? new Set<string>();
      this.#dependents.set(owner, dependents.add(uid));
    }
  }

  remove(uid: string): void {
    this.#unlink(this.#nodes.get(uid));
    this.#nodes.delete(uid);
  }

  #unlink(node: GraphNode | undefined): void {
    if (!node) return;
    for (const { uid: owner } of ownersOf(node.object)) {
      const dependents = this.#dependents.get(owner);
      dependents?.delete(node.object.metadata.uid);
      if (dependents?.size === 0) this.#dependents.delete(owner);
    }
  }
}

export function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata?.ownerReferences ?? [];
}

const foregroundFinalizer = 'foregroundDeletion';
const orphanFinalizer = 'orphan';

export type GarbageFinalizer = typeof foregroundFinalizer | typeof orphanFinalizer;

export function hasFinalizer(object: KubeObject, finalizer: GarbageFinalizer): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

/** Is to go after the dependents that block it. */
export function awaitsDependents(object: KubeObject): boolean {
  return isDeleting(object) && hasFinalizer(object, foregroundFinalizer);
}

/** Is to go after its dependents were told that they have no owner any more. */
export function awaitsOrphaning(object: KubeObject): boolean {
  return isDeleting(object) && hasFinalizer(object, orphanFinalizer);
}

export function isDeleting({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** The dependents that keep an owner from going before them. */
export function blockingDependents(graph: OwnershipGraph, uid: string): readonly GraphNode[] {
  return graph
    .dependentsOf(uid)
    .filter(({ object }) =>
      ownersOf(object).some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
    );
}
