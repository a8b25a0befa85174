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

/** Disposed, it is given back. */
interface Share<T> extends AsyncDisposable {
  readonly value: T;
}

interface Shared {
  readonly value: AsyncDisposable;
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
    const start = () => startInformer<T>({ ...this.#options, kind, selection });
    const { value, ...share } = this.share(describe(kind, selection), start);
    return { informer: value, ...share };
  }

  /** The same for anything that is built on the caches: whoever names the same key gets the same thing. */
  share<T extends AsyncDisposable>(key: string, start: () => T): Share<T> {
    const shared = this.#shared.get(key) ?? { value: start(), borrowers: 0 };
    this.#shared.set(key, shared);
    shared.borrowers += 1;
    let ended: Promise<void> | undefined;
    return {
      value: shared.value as T,
      [Symbol.asyncDispose]: () => (ended ??= this.#giveBack(key, shared)),
    };
  }

  async #giveBack(key: string, shared: Shared): Promise<void> {
    shared.borrowers -= 1;
    if (shared.borrowers > 0) return;
    this.#shared.delete(key);
    await shared.value[Symbol.asyncDispose]();
  }
}

function describe({ group, version, plural }: Kind, selection: Selection): string {
  const { namespace, labelSelector, fieldSelector } = selection;
  return JSON.stringify([group, version, plural, namespace, labelSelector, fieldSelector]);
}
