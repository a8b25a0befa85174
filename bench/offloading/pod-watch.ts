import { type Client, Pod, type Stored } from '@liqo/kube';

/** When the pods of a namespace came, were bound, came to run, and to be gone, as a watch of its cluster shows it. */
export class PodWatch implements AsyncDisposable {
  readonly #thereSinceMs = new Map<string, number>();
  readonly boundSinceMs = new Map<string, number>();
  readonly runningSinceMs = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #present = new Set<string>();

  private constructor(client: Client, namespace: string, resourceVersion: string) {
    this.#watching = this.#watch(client, namespace, resourceVersion);
  }

  static async start(client: Client, namespace: string): Promise<PodWatch> {
    const { items, resourceVersion } = await client.list(Pod, { namespace });
    const watch = new PodWatch(client, namespace, resourceVersion);
    for (const pod of items) watch.#see(pod);
    return watch;
  }

  /** Gives back since when. */
  async untilThere(name: string, timeoutMs = 600_000): Promise<number> {
    const sinceMs = () => this.#thereSinceMs.get(name);
    await this.#until(
      () => sinceMs() !== undefined,
      timeoutMs,
      () => `pod "${name}" is not there`,
    );
    return sinceMs() ?? 0;
  }

  untilRunning(count: number, timeoutMs = 600_000): Promise<void> {
    return this.#until(
      () => this.runningSinceMs.size >= count,
      timeoutMs,
      () => `${this.runningSinceMs.size} of ${count} pods run`,
    );
  }

  untilGone(timeoutMs = 600_000): Promise<void> {
    return this.#until(
      () => this.#present.size === 0,
      timeoutMs,
      () => `${this.#present.size} pods are still there`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(client: Client, namespace: string, resourceVersion: string): Promise<void> {
    for await (const event of client.watch(
      Pod,
      { namespace, resourceVersion },
      this.#stop.signal,
    )) {
      if (event.type === 'BOOKMARK') continue;
      if (event.type === 'DELETED') this.#present.delete(event.object.metadata.name);
      else this.#see(event.object);
      for (const check of this.#waiting) check();
    }
  }

  #see({ metadata: { name }, spec, status }: Stored<Pod>): void {
    this.#present.add(name);
    noteOnce(this.#thereSinceMs, name);
    if (spec?.nodeName !== undefined) noteOnce(this.boundSinceMs, name);
    if (status?.phase === 'Running') noteOnce(this.runningSinceMs, name);
  }

  #until(condition: () => boolean, timeoutMs: number, say: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(check);
      };
      const check = () => {
        if (!condition()) return;
        leave();
        resolve();
      };
      const timer = setTimeout(() => {
        leave();
        reject(new Error(`Cannot go on: after ${timeoutMs / 1000} s ${say()}`));
      }, timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }
}

function noteOnce(times: Map<string, number>, name: string): void {
  if (!times.has(name)) times.set(name, performance.now());
}
