import { setTimeout as pause } from 'node:timers/promises';
import { type Client, Pod } from '@liqo/kube';
import { quantile } from '../../spread.ts';
import { deletePods, forgePod, type Place } from '../pod-load.ts';
import { PodWatch } from '../pod-watch.ts';
import { onePair, type Scenario } from '../scenario.ts';

const seconds = 20;
/** For whatever Kubernetes still does after the pods of the floor have gone. */
const settleMs = 10_000;

/** Pods at a steady rate: how long each takes from its creation until it is seen Running at home. */
export function steady(perSecond: number, p99BudgetMs: number): Scenario {
  const id = (what: string) => `steady-${perSecond}.${what}`;
  const title = (what: string) => `${perSecond} pods/s: ${what}`;
  return {
    name: `steady-${perSecond}`,
    needs: onePair,
    repeats: 3,
    rows: [
      { id: id('floor-p50'), title: title('p50 with no offloading'), unit: 'ms' },
      { id: id('floor-p99'), title: title('p99 with no offloading'), unit: 'ms' },
      { id: id('p50'), title: title('p50, created to Running at home'), unit: 'ms' },
      { id: id('p99'), title: title('p99'), unit: 'ms', budget: p99BudgetMs },
    ],
    measure: async (world) => {
      const { client } = world.rome;
      const apart = await world.freshNamespace('apart');
      const floor = await latencies(client, apart, 'hollow', perSecond);
      await pause(settleMs);
      const offloaded = await world.freshNamespace('offloaded');
      const ours = await latencies(client, offloaded, 'virtual', perSecond);
      return {
        [id('floor-p50')]: quantile(floor, 0.5),
        [id('floor-p99')]: quantile(floor, 0.99),
        [id('p50')]: quantile(ours, 0.5),
        [id('p99')]: quantile(ours, 0.99),
      };
    },
  };
}

/** Sorted. Leaves nothing behind. */
async function latencies(
  client: Client,
  namespace: string,
  place: Place,
  perSecond: number,
): Promise<readonly number[]> {
  const names = Array.from({ length: perSecond * seconds }, (_, i) => `web-${i}`);
  await using watch = await PodWatch.start(client, namespace);
  const createdMs = await createAtRate(client, { namespace, place, names, perSecond });
  await watch.untilRunning(names.length);
  const took = names.map(
    (name) => (watch.runningSinceMs.get(name) ?? 0) - (createdMs.get(name) ?? 0),
  );
  await deletePods(client, namespace, names);
  await watch.untilGone();
  return took.toSorted((a, b) => a - b);
}

interface SteadyLoad {
  readonly namespace: string;
  readonly place: Place;
  readonly names: readonly string[];
  readonly perSecond: number;
}

/** Gives back when each was asked for. Those that are late do not hold up the others. */
async function createAtRate(
  client: Client,
  { namespace, place, names, perSecond }: SteadyLoad,
): Promise<ReadonlyMap<string, number>> {
  const createdMs = new Map<string, number>();
  const startedMs = performance.now();
  const creations: Promise<unknown>[] = [];
  for (const [i, name] of names.entries()) {
    const waitMs = startedMs + (i * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    createdMs.set(name, performance.now());
    creations.push(client.create(Pod, forgePod(namespace, name, place)));
  }
  await Promise.all(creations);
  return createdMs;
}
