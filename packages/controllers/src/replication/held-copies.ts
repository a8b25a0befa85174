import { finalizers } from '@liqo/api';
import { type Client, isNotFound, type Kind } from '@liqo/kube';
import type { ReplicatedObject } from '@liqo/model';
import { hasFinalizer, type Informer } from '@liqo/runtime';
import { forPeers } from '../selections.ts';
import { destinationOf } from './reconcile-original.ts';

interface HeldCopiesOptions {
  readonly client: Client;
  readonly kind: Kind<ReplicatedObject>;
  readonly originals: Pick<Informer<ReplicatedObject>, 'hasSynced' | 'list'>;
}

/** The originals of one kind that are held until their copies are gone. */
export class HeldCopies {
  readonly #options: HeldCopiesOptions;

  constructor(options: HeldCopiesOptions) {
    this.#options = options;
  }

  /** A cache that is not complete, for want of a CRD for instance, is not asked: it keeps nothing else from going on. */
  async count(clusterID: string, signal: AbortSignal): Promise<number> {
    const { originals } = this.#options;
    const all = originals.hasSynced ? originals.list() : await this.#list(signal);
    const isHeld = (original: ReplicatedObject) =>
      destinationOf(original) === clusterID &&
      hasFinalizer(original, finalizers.replicatedResource);
    return all.filter(isHeld).length;
  }

  async #list(signal: AbortSignal): Promise<readonly ReplicatedObject[]> {
    const { client, kind } = this.#options;
    try {
      return (await client.list(kind, { ...forPeers, signal })).items;
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }
}
