import type { PodUsage } from './pod-usage.ts';

interface Reading {
  readonly atMs: number;
  readonly nanoCores: number;
  readonly nanoSeconds: number;
}

/** The CPU time of the containers of a pod, since the first look, in the order of the containers. */
export type CpuTimes = readonly number[];

/**
 * Makes CPU time of CPU usage: a provider tells how fast containers use it, readers of a kubelet's metrics want to know
 * how much they have used. The time goes on from one look to the next, and only forwards; it is lost with the process, as
 * a kubelet's is with the container.
 */
export class CpuMeter {
  #readings = new Map<string, Reading>();

  /** Takes all pods there are: what is not among them is forgotten. */
  read(pods: readonly PodUsage[]): readonly CpuTimes[] {
    const next = new Map<string, Reading>();
    const times = pods.map((usage) =>
      usage.containers.map(({ name, nanoCores }) => {
        const key = `${usage.pod.metadata.uid}/${name}`;
        const reading = advance(this.#readings.get(key), usage.atMs, nanoCores);
        next.set(key, reading);
        return reading.nanoSeconds;
      }),
    );
    this.#readings = next;
    return times;
  }
}

function advance(before: Reading | undefined, atMs = 0, nanoCores: number): Reading {
  if (!before?.atMs) return { atMs, nanoCores, nanoSeconds: before?.nanoSeconds ?? 0 };
  if (atMs <= before.atMs) return before;
  const used = (nanoCores * (atMs - before.atMs)) / 1_000;
  return { atMs, nanoCores, nanoSeconds: Math.round(before.nanoSeconds + used) };
}
