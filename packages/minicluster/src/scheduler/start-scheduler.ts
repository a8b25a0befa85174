import { setMaxListeners } from 'node:events';
import { type Client, type Clock, Namespace, Node, Pod, type Random } from '@liqo/kube';
import { Informer } from '../controllers/informer.ts';
import type { KindReader } from '../kind-reader.ts';
import { Scheduler } from './scheduler.ts';
import { SchedulingEvents } from './scheduling-events.ts';
import { VolumeBinder } from './volumes/volume-binder.ts';

export interface SchedulerOptions {
  /** What it follows kinds with: the client unless it says otherwise. */
  readonly reader?: KindReader | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Pods that name another one are left alone. */
  readonly schedulerName?: string;
  /** Where it says it runs. */
  readonly host?: string;
  /** Whether claims, volumes and storage classes are served. */
  readonly hasVolumes?: boolean;
  /** Whether nobody is told, in events, what becomes of their pods. */
  readonly silent?: boolean | undefined;
}

/** Pods that wait for a node are tried again after this long, whatever happened. */
const flushMs = 5 * 60_000;

/**
 * Gives every pod without a node one, as kube-scheduler with its stock profile does. Resolves when it has seen the
 * cluster; disposing waits for the writes under way. There is no preemption, and no spreading of services and
 * replica sets by default.
 */
export async function startScheduler(
  client: Client,
  options: SchedulerOptions,
): Promise<AsyncDisposable> {
  const { clock, random, schedulerName = 'default-scheduler', host = 'minicluster' } = options;
  const stop = new AbortController();
  const { signal } = stop;
  // Every write under way listens to it.
  setMaxListeners(0, signal);
  const { silent } = options;
  const events = new SchedulingEvents({ client, clock, random, schedulerName, host, silent });
  const parts = { client, reader: options.reader, clock, random };
  const isServed = options.hasVolumes ?? true;
  const volumes = isServed ? await VolumeBinder.start({ ...parts, signal }) : undefined;
  const scheduler = new Scheduler({ ...parts, schedulerName, events, volumes, signal });
  volumes?.subscribe(() => scheduler.onVolume());
  const informers = [...(await follow(client, options, scheduler)), ...(volumes?.informers ?? [])];
  let flush = clock.after(flushMs, tick);
  function tick() {
    scheduler.retryAll();
    flush = clock.after(flushMs, tick);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      flush.cancel();
      stop.abort();
      await Promise.all(informers.map((informer) => informer[Symbol.asyncDispose]()));
      await scheduler.settle();
    },
  };
}

/** Namespaces and nodes are known before the first pod is looked at. */
async function follow(
  client: Client,
  { reader, clock, random }: SchedulerOptions,
  scheduler: Scheduler,
): Promise<readonly AsyncDisposable[]> {
  const parts = { client, reader, clock, random };
  const namespaces = new Informer(Namespace, parts);
  const nodes = new Informer(Node, parts);
  const pods = new Informer(Pod, parts);
  await Promise.all([namespaces.synced, nodes.synced, pods.synced]);
  namespaces.onChange((current, previous) => scheduler.onNamespace(previous, current));
  nodes.onChange((current, previous) => scheduler.onNode(previous, current));
  pods.onChange((current, previous) => scheduler.onPod(previous, current));
  return [namespaces, nodes, pods];
}
