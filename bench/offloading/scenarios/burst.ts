import type { BenchWorld } from '../bench-world.ts';
import { CpuMeter } from '../cpu-meter.ts';
import { onePair, type Sample, type Scenario } from '../scenario.ts';
import { secondsToDelete, secondsToRun } from '../timed-load.ts';

/** Many pods at once, created and deleted, beside the same pods in both clusters with no offloading at all. */
export function burst(count: number, repeats: number): Scenario {
  const id = (what: string) => `burst-${count}.${what}`;
  const row = (what: string, title: string, unit: string, budget?: number) => ({
    id: id(what),
    title: `${count} pods: ${title}`,
    unit,
    ...(budget !== undefined && { budget }),
  });
  return {
    name: `burst-${count}`,
    needs: onePair,
    repeats,
    rows: [
      row('floor', 'the floor, Running in both clusters', 's'),
      row('created', 'offloaded, Running at home', 's'),
      row('ratio', 'offloaded over the floor', '×', 1.6),
      row('direct', 'deleted directly in both clusters', 's'),
      row('deleted', 'deleted at home, gone everywhere', 's'),
      row('deletion', 'deletion over direct deletion', '×', 2.5),
      row('cpu-kubelet', 'CPU of the virtual kubelet, each, created', 'ms'),
      row('cpu-provider', 'CPU of the provider’s controllers, each', 'ms'),
      row('cpu-consumer', 'CPU of the consumer’s controllers, each', 'ms'),
    ],
    measure: async (world) => {
      const floor = await measureFloor(world, count);
      const ours = await measureOffloading(world, count);
      return {
        [id('floor')]: floor.created,
        [id('created')]: ours.created,
        [id('ratio')]: ours.created / floor.created,
        [id('direct')]: floor.deleted,
        [id('deleted')]: ours.deleted,
        [id('deletion')]: ours.deleted / floor.deleted,
        [id('cpu-kubelet')]: (ours.cpu.kubelets / count) * 1000,
        [id('cpu-provider')]: (ours.cpu.milan / count) * 1000,
        [id('cpu-consumer')]: (ours.cpu.rome / count) * 1000,
      } satisfies Sample;
    },
  };
}

async function measureFloor(world: BenchWorld, count: number) {
  const namespace = await world.freshNamespace('apart');
  const clients = [world.rome.client, world.milan.client];
  const where = { clients, namespace, place: 'hollow' } as const;
  const created = await secondsToRun(where, count);
  return { created, deleted: await secondsToDelete(where, count) };
}

async function measureOffloading(world: BenchWorld, count: number) {
  const namespace = await world.freshNamespace('offloaded');
  const where = { clients: [world.rome.client], namespace, place: 'virtual' } as const;
  const meter = new CpuMeter(world);
  const created = await secondsToRun(where, count);
  const cpu = meter.read();
  return { created, cpu, deleted: await secondsToDelete(where, count) };
}
