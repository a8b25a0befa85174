import type { KubeObject, Stored } from '@liqo/kube';
import type { PersistentVolume, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Collection, Item } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import { FollowedCollection } from '../followed-collection.ts';
import { podReferences, type Reference, reference } from './pod-references.ts';

/** Which objects the pods of a node refer to. */
export class NodeRelations {
  readonly #volumes: Collection;
  readonly #pods: FollowedCollection;
  /** How many pods of a node refer to an object. */
  readonly #counts = new Map<string, Map<Reference, number>>();

  constructor(store: Store) {
    this.#volumes = store.collection('persistentvolumes');
    this.#pods = new FollowedCollection(store, 'pods', {
      clear: () => this.#counts.clear(),
      add: (item) => this.#count(item, 1),
      remove: (item) => this.#count(item, -1),
    });
  }

  has(node: string, plural: string, namespace: string, name: string): boolean {
    if (plural === 'persistentvolumes') return this.#hasVolume(node, name);
    this.#pods.refresh();
    return this.#counts.get(node)?.has(reference(plural, namespace, name)) === true;
  }

  /** A volume belongs to a node through the claim that is bound to it. */
  #hasVolume(node: string, name: string): boolean {
    const volume = this.#volumes.get(name) as Stored<PersistentVolume & KubeObject> | undefined;
    const claim = volume?.spec?.claimRef;
    if (!claim?.namespace || !claim.name) return false;
    return this.has(node, 'persistentvolumeclaims', claim.namespace, claim.name);
  }

  #count(item: Item, step: 1 | -1): void {
    const pod = item as Pod;
    const node = pod.spec?.nodeName;
    if (!node) return;
    const counts = this.#counts.get(node) ?? new Map<Reference, number>();
    this.#counts.set(node, counts);
    for (const referred of podReferences(pod)) {
      const count = (counts.get(referred) ?? 0) + step;
      if (count > 0) counts.set(referred, count);
      else counts.delete(referred);
    }
    if (counts.size === 0) this.#counts.delete(node);
  }
}
