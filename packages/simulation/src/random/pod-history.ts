import { annotations } from '@liqo/api';
import {
  findCondition,
  isExpired,
  type Pod,
  Pod as PodKind,
  type Stored,
  type WatchEvent,
} from '@liqo/kube';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import { home, providers } from './names.ts';

/** Watches all pods of a world from its beginning, and notes whatever must not be at any instant. */
export class PodHistory implements AsyncDisposable {
  readonly wrongs: string[] = [];
  readonly #stop = new AbortController();
  /** At the providers, by their UID. */
  readonly #live = new Map<string, Stored<Pod>>();
  /** UIDs of pods at home whose work has ended over there. */
  readonly #done = new Map<string, string>();
  /** UIDs of pods at home of whose end the provider has spoken, whatever it says about their work. */
  readonly #told = new Set<string>();
  /** UIDs of pods at home that say they have ended, and how. */
  readonly #ended = new Map<string, string>();
  readonly #watches: Promise<void>[];

  constructor(world: SimulatedWorld) {
    const remotes = providers.filter((name) => world.clusters.has(name));
    this.#watches = [
      ...remotes.map((name) => this.#follow(world, name, (event) => this.#heedRemote(event))),
      this.#follow(world, home, (event) => this.#heedLocal(event)),
    ];
  }

  /** Somebody destroys records at the provider: what was not said at home yet is not known to anybody any more. */
  forgiveUnsaid(): void {
    for (const uid of [...this.#done.keys()]) if (!this.#ended.has(uid)) this.#done.delete(uid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#watches);
  }

  async #follow(
    world: SimulatedWorld,
    cluster: string,
    heed: (event: WatchEvent<Pod>) => void,
  ): Promise<void> {
    const { admin } = world.cluster(cluster);
    const known = new Map<string, Stored<Pod>>();
    const note = (event: WatchEvent<Pod>) => {
      if (event.type === 'BOOKMARK') return;
      const { uid } = event.object.metadata;
      if (event.type === 'DELETED') known.delete(uid);
      else known.set(uid, event.object);
      heed(event);
    };
    while (!this.#stop.signal.aborted) {
      const { items, resourceVersion } = await admin.list(PodKind);
      for (const event of changesTo(items, known)) note(event);
      const watch = admin.watch(PodKind, { resourceVersion }, this.#stop.signal);
      try {
        for await (const event of watch) note(event);
      } catch (error) {
        if (!isExpired(error)) throw error;
      }
    }
  }

  #heedRemote(event: WatchEvent<Pod>): void {
    if (event.type === 'BOOKMARK') return;
    const pod = event.object;
    const homeUid = homeUidOf(pod);
    if (homeUid === undefined) return;
    const { uid } = pod.metadata;
    if (event.type === 'ADDED') this.#meet(pod, homeUid);
    if (event.type === 'DELETED' || hasEnded(pod)) this.#live.delete(uid);
    else this.#live.set(uid, pod);
    if (hasEnded(pod)) this.#told.add(homeUid);
    if (isDone(pod)) this.#done.set(homeUid, pod.status?.phase ?? '');
  }

  #meet(pod: Stored<Pod>, homeUid: string): void {
    const name = nameOf(pod);
    const rival = [...this.#live.values()].find((other) => homeUidOf(other) === homeUid);
    if (rival) this.wrongs.push(`two pods run at once for one pod at home: ${name}`);
    const done = this.#ended.get(homeUid) ?? this.#done.get(homeUid);
    if (done !== undefined) this.wrongs.push(`${name} runs again, though it had ${done}`);
  }

  #heedLocal(event: WatchEvent<Pod>): void {
    if (event.type === 'BOOKMARK' || event.type === 'DELETED') return;
    const pod = event.object;
    const { uid } = pod.metadata;
    const { phase = 'Pending', reason } = pod.status ?? {};
    const before = this.#ended.get(uid);
    if (before !== undefined && before !== phase) {
      this.wrongs.push(`${nameOf(pod)} at home was ${before} and is ${phase}`);
    }
    if (!hasEnded(pod)) return;
    this.#ended.set(uid, phase);
    const isOffloaded = pod.metadata.labels?.['liqo.io/shadowPod'] === 'true';
    const isTold = this.#told.has(uid) || reason === 'OffloadingAborted' || isDisrupted(pod);
    if (before === undefined && isOffloaded && !isTold && !isGoing(pod)) {
      this.wrongs.push(`${nameOf(pod)} at home is ${phase}, and nothing over there said so`);
    }
  }
}

/** What happened while nobody watched, as far as a list can tell: the server may have forgotten its history. */
function changesTo(
  items: readonly Stored<Pod>[],
  known: ReadonlyMap<string, Stored<Pod>>,
): readonly WatchEvent<Pod>[] {
  const present = new Set(items.map(({ metadata }) => metadata.uid));
  const gone = [...known.values()].filter(({ metadata }) => !present.has(metadata.uid));
  const typeOf = (uid: string) => (known.has(uid) ? 'MODIFIED' : 'ADDED');
  return [
    ...gone.map((object) => ({ type: 'DELETED' as const, object })),
    ...items.map((object) => ({ type: typeOf(object.metadata.uid), object }) as const),
  ];
}

function homeUidOf({ metadata }: Pod): string | undefined {
  return metadata?.annotations?.[annotations.podUid];
}

function nameOf({ metadata }: Stored<Pod>): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isGoing({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function isDisrupted({ status }: Pod): boolean {
  return findCondition(status?.conditions, 'DisruptionTarget')?.status === 'True';
}

/** The end of a pod that is being deleted, or that lost its machine, says nothing about its work. */
function isDone(pod: Pod): boolean {
  return hasEnded(pod) && !isGoing(pod) && !isDisrupted(pod);
}
