import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/** Resources that keep a process alive. */
const kinds = new Set(['TCPSERVERWRAP', 'TCPWRAP', 'PIPEWRAP', 'Timeout']);

interface Handle {
  readonly type: string;
  readonly resource: { hasRef?: () => boolean };
  /** The stack at its creation. */
  readonly origin: string;
}

/** Counts the handles that are opened in the course of some work. Those of other tests in the same process are not its own. */
export class HandleCensus implements Disposable {
  readonly #scope = new AsyncLocalStorage<HandleCensus>();
  readonly #open = new Map<number, Handle>();
  readonly #hook = createHook({
    init: (id, type, _trigger, resource) => {
      if (!kinds.has(type) || this.#scope.getStore() !== this) return;
      this.#open.set(id, { type, resource, origin: new Error(type).stack ?? '' });
    },
    destroy: (id) => {
      this.#open.delete(id);
    },
  }).enable();

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#scope.run(this, work);
  }

  /** Those that would keep the process alive, each with its origin. */
  get left(): readonly string[] {
    return [...this.#open.values()]
      .filter(({ resource }) => resource.hasRef?.() ?? true)
      .map(({ origin }) => origin);
  }

  [Symbol.dispose](): void {
    this.#hook.disable();
  }
}
