import type { Client } from '@liqo/kube';
import { createPods, deletePods, type Place, podNames } from './pod-load.ts';
import { PodWatch } from './pod-watch.ts';

/** A namespace, in one cluster or under the same name in several. */
export interface LoadedNamespace {
  readonly clients: readonly Client[];
  readonly namespace: string;
  readonly place: Place;
}

/** From the first creation until all of them run, everywhere. */
export function secondsToRun(where: LoadedNamespace, count: number): Promise<number> {
  const { namespace, place } = where;
  return timed(where, async (client, watch) => {
    await createPods(client, namespace, podNames(count), place);
    await watch.untilRunning(count);
  });
}

/** From the first deletion until none of them is left, anywhere. */
export function secondsToDelete(where: LoadedNamespace, count: number): Promise<number> {
  return timed(where, async (client, watch) => {
    await deletePods(client, where.namespace, podNames(count));
    await watch.untilGone();
  });
}

async function timed(
  { clients, namespace }: LoadedNamespace,
  work: (client: Client, watch: PodWatch) => Promise<void>,
): Promise<number> {
  const watches = await Promise.all(clients.map((client) => PodWatch.start(client, namespace)));
  try {
    const startedMs = performance.now();
    await Promise.all(clients.map((client, i) => work(client, watches[i] as PodWatch)));
    return (performance.now() - startedMs) / 1000;
  } finally {
    await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
  }
}
