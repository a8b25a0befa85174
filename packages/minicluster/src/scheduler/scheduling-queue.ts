import type { PodInfo } from './pod-info.ts';

interface Waiting {
  readonly pod: PodInfo;
  readonly rejectedBy: ReadonlySet<string>;
}

/**
 * The pods that want a node. Those that may find one come out by priority, then in the order they came; those for whom
 * there was none wait aside until something changes that may help.
 */
export class SchedulingQueue {
  readonly #active = new Map<string, { readonly pod: PodInfo; readonly turn: number }>();
  readonly #waiting = new Map<string, Waiting>();
  /** By falling priority; the pods of one, by turn. Removed pods stay until their turn comes. */
  readonly #lanes = new Map<number, { readonly key: string; readonly turn: number }[]>();
  #turns = 0;

  /** A pod that is new or changed: it is tried again in any case. */
  offer(pod: PodInfo): void {
    this.#waiting.delete(pod.key);
    const queued = this.#active.get(pod.key);
    const isSameLane = queued && priorityOf(queued.pod) === priorityOf(pod);
    const turn = isSameLane ? queued.turn : ++this.#turns;
    this.#active.set(pod.key, { pod, turn });
    if (!isSameLane) this.#laneOf(priorityOf(pod)).push({ key: pod.key, turn });
  }

  /** A pod for which there was no node. */
  setAside(pod: PodInfo, rejectedBy: ReadonlySet<string>): void {
    this.#waiting.set(pod.key, { pod, rejectedBy });
  }

  /** The newest version of a pod that waits, when nothing has changed that would help it. */
  refresh(pod: PodInfo): void {
    const waiting = this.#waiting.get(pod.key);
    if (waiting) this.#waiting.set(pod.key, { ...waiting, pod });
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key);
  }

  remove(key: string): void {
    this.#active.delete(key);
    this.#waiting.delete(key);
  }

  /** Tries those again whom a change may help. */
  retry(mayHelp: (rejectedBy: ReadonlySet<string>) => boolean): void {
    for (const { pod, rejectedBy } of [...this.#waiting.values()]) {
      if (mayHelp(rejectedBy)) this.offer(pod);
    }
  }

  take(): PodInfo | undefined {
    for (const priority of [...this.#lanes.keys()].sort((a, b) => b - a)) {
      const pod = this.#takeFrom(this.#laneOf(priority));
      if (pod) return pod;
      this.#lanes.delete(priority);
    }
    return undefined;
  }

  #laneOf(priority: number) {
    const lane = this.#lanes.get(priority) ?? [];
    this.#lanes.set(priority, lane);
    return lane;
  }

  #takeFrom(lane: { readonly key: string; readonly turn: number }[]): PodInfo | undefined {
    for (let next = lane.shift(); next; next = lane.shift()) {
      const queued = this.#active.get(next.key);
      if (queued?.turn !== next.turn) continue;
      this.#active.delete(next.key);
      return queued.pod;
    }
    return undefined;
  }
}

function priorityOf({ pod }: PodInfo): number {
  return pod.spec?.priority ?? 0;
}
