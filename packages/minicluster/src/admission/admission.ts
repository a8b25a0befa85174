import type { CallSignal, KubeObject } from '@liqo/kube';
import type { User } from '../auth/user.ts';
import type { Resource } from '../rest/resource.ts';
import type { Item } from '../store/collection.ts';
import { Reinvocation } from './reinvocation.ts';

/** A write on its way to the store, as admission sees it. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string | undefined;
  /** Empty for a create with generateName. */
  readonly name: string;
  /** Undefined for a deletion. */
  readonly object: KubeObject | undefined;
  readonly previous: Item | undefined;
  /** CreateOptions, UpdateOptions, DeleteOptions … as an object; undefined for a connection. */
  readonly options: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly user: User;
  readonly signal: CallSignal;
  /** Told to the client in a `Warning` header, whatever becomes of the write. */
  warn(message: string): void;
}

/** While objects may still be changed. */
export interface MutationAttributes extends AdmissionAttributes {
  readonly reinvocation: Reinvocation;
}

/** One admission plugin. A refusal is a thrown `ApiError`. */
export interface Admission {
  readonly name: string;
  /** Gives the object back, changed or not. May be called a second time with what came out of the first round. */
  mutate?(attributes: MutationAttributes): Promise<KubeObject | undefined>;
  validate?(attributes: AdmissionAttributes): Promise<void>;
}

/**
 * Plugins in their order: first all that change, then all that check. Both phases see deletions too. When a webhook
 * changed the object, everybody who changes objects gets to see it once more.
 */
export class AdmissionChain {
  readonly #plugins: readonly Admission[];

  constructor(plugins: readonly Admission[]) {
    this.#plugins = plugins;
  }

  async mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const reinvocation = new Reinvocation();
    const object = await this.#mutateOnce({ ...attributes, reinvocation });
    if (!reinvocation.beginSecondRound()) return object;
    return this.#mutateOnce({ ...attributes, object, reinvocation });
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) await plugin.validate?.(attributes);
  }

  async #mutateOnce(attributes: MutationAttributes): Promise<KubeObject | undefined> {
    let latest = attributes;
    for (const plugin of this.#plugins) {
      if (!plugin.mutate) continue;
      const object = await plugin.mutate(latest);
      if (object !== latest.object) latest = { ...latest, object };
    }
    return latest.object;
  }
}
