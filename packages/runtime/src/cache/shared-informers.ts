import type { Kind, KubeObject, Selection } from '@liqo/kube';
import { type Informer, type InformerOptions, startInformer } from './informer.ts';

export type SharedInformersOptions = Pick<
  InformerOptions<KubeObject>,
  'client' | 'clock' | 'random' | 'log'
>;

/** Disposed, it is given back. */
export interface Borrowed<T extends KubeObject> extends AsyncDisposable {
  readonly informer: Informer<T>;
}

interface Shared {
  readonly informer: Informer<KubeObject>;
  borrowers: number;
}

/** The caches of one cluster in one process: whoever looks at the same objects looks at the same copy of them. */
export class SharedInformers {
  readonly #options: SharedInformersOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /** It begins with the first to borrow it, and ends when the last one has given it back. */
  borrow<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): Borrowed<T> {
    const key = describe(kind, selection);
    const shared = this.#shared.get(key) ?? this.#start(kind, selection);
    this.#shared.set(key, shared);
    shared.borrowers += 1;
    let ended: Promise<void> | undefined;
    return {
      informer: shared.informer as unknown as Informer<T>,
      [Symbol.asyncDispose]: () => (ended ??= this.#giveBack(key, shared)),
    };
  }

  #start<T extends KubeObject>(kind: Kind<T>, selection: Selection): Shared {
    const informer = startInformer<T>({ ...this.#options, kind, selection });
    return { informer: informer as unknown as Informer<KubeObject>, borrowers: 0 };
  }

  async #giveBack(key: string, shared: Shared): Promise<void> {
    shared.borrowers -= 1;
    if (shared.borrowers > 0) return;
    this.#shared.delete(key);
    await shared.informer[Symbol.asyncDispose]();
  }
}

function describe({ group, version, plural }: Kind, selection: Selection): string {
  const { namespace, labelSelector, fieldSelector } = selection;
  return JSON.stringify([group, version, plural, namespace, labelSelector, fieldSelector]);
}
