import { annotations } from '@liqo/api';
import { Pod, type Stored } from '@liqo/kube';
import {
  type Informer,
  silentLogger,
  startInformer,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { namespace, remoteNamespace } from './application.ts';
import type { Stage } from './stage.ts';

/** Watches the pods of both sides, past the link, and writes down what must never happen. */
export class PodHistory implements AsyncDisposable {
  readonly #sins = new Set<string>();
  readonly #home: Informer<Pod>;
  readonly #away: Informer<Pod>;
  /** Of the pods at home, once it is known which they are. */
  #uids: ReadonlySet<string> | undefined;
  /** What runs at the provider, by UID, with the UID of the pod at home that it runs for. */
  readonly #running = new Map<string, string>();

  constructor({ rome, milan }: Stage) {
    this.#home = watchPods(rome, namespace);
    this.#away = watchPods(milan, remoteNamespace);
    const seeHome = (pod: Stored<Pod>) => this.#seeHome(pod);
    this.#home.subscribe({
      onAdd: seeHome,
      onUpdate: (_, pod) => this.#seeHome(pod),
      onDelete: ({ metadata }) => this.#sins.add(`home pod ${metadata.name} was lost`),
    });
    this.#away.subscribe({
      onAdd: (pod) => this.#seeAway(pod),
      onUpdate: (_, pod) => this.#seeAway(pod),
      onDelete: ({ metadata }) => this.#running.delete(metadata.uid),
    });
  }

  /** From here on the pods at home are those there are. */
  async begin(): Promise<void> {
    await Promise.all([this.#home.synced(), this.#away.synced()]);
    this.#uids = new Set(this.#home.list().map(({ metadata }) => metadata.uid));
  }

  /** Nothing, if all is well. */
  get sins(): readonly string[] {
    return [...this.#sins];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#home[Symbol.asyncDispose](), this.#away[Symbol.asyncDispose]()]);
  }

  #seeHome({ metadata, status }: Stored<Pod>): void {
    const { name, uid } = metadata;
    if (this.#uids && !this.#uids.has(uid)) this.#sins.add(`home pod ${name} is another one`);
    const { phase = 'Pending', reason = '' } = status ?? {};
    if (phase === 'Failed' || phase === 'Succeeded') {
      this.#sins.add(`home pod ${name} was ${phase}: ${reason}`);
    }
  }

  #seeAway({ metadata, status }: Stored<Pod>): void {
    const { name, uid, annotations: marks } = metadata;
    const owner = marks?.[annotations.podUid] ?? 'nobody';
    if (status?.phase === 'Running') this.#running.set(uid, owner);
    else this.#running.delete(uid);
    const twins = [...this.#running.values()].filter((other) => other === owner);
    if (twins.length > 1) this.#sins.add(`home pod ${name} ran ${twins.length} times at once`);
  }
}

function watchPods({ client }: RealCluster, of: string): Informer<Pod> {
  return startInformer({
    client,
    kind: Pod,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    selection: { namespace: of },
  });
}
