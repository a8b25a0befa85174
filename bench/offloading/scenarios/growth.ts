import type { WorldNeeds } from '../bench-world.ts';
import { CpuMeter } from '../cpu-meter.ts';
import { idleSeconds, lastWordSeconds, type Scenario } from '../scenario.ts';
import { secondsToDelete, secondsToRun } from '../timed-load.ts';

/** What a pod costs when there are more pods, or more virtual nodes: time, processor, memory, requests. */
export function growth(pods: number, virtualNodes: number): Scenario {
  const name = `growth-${pods}x${virtualNodes}`;
  const title = (what: string) => `${pods} pods on ${virtualNodes} nodes: ${what}`;
  const needs: WorldNeeds = {
    virtualNodes,
    kubeletProcesses: virtualNodes === 1 ? 'one each' : 'one for all',
    audited: true,
  };
  return {
    name,
    needs,
    repeats: 1,
    rows: [
      { id: `${name}.time`, title: title('time per pod'), unit: 'ms' },
      { id: `${name}.cpu`, title: title('CPU of the product per pod'), unit: 'ms' },
      { id: `${name}.memory`, title: title('resident per pod, kubelets'), unit: 'KB' },
      { id: `${name}.requests`, title: title('requests per pod, created'), unit: '' },
    ],
    measure: async (world) => {
      const namespace = await world.freshNamespace('offloaded');
      const where = { clients: [world.rome.client], namespace, place: 'virtual' } as const;
      for (const kubelet of world.kubelets) await kubelet.restart();
      const resident = async (seconds: number) => {
        const all = await Promise.all(world.kubelets.map((one) => one.restingKb(seconds)));
        return all.reduce((sum, kb) => sum + kb, 0);
      };
      const idleKb = await resident(idleSeconds);
      world.takeRequests();
      const meter = new CpuMeter(world);
      const seconds = await secondsToRun(where, pods);
      const cpu = meter.read();
      const loadedKb = await resident(lastWordSeconds);
      const requests = world.takeRequests().filter(({ resource }) => !isOfTime(resource));
      await secondsToDelete(where, pods);
      return {
        [`${name}.time`]: (seconds / pods) * 1000,
        [`${name}.cpu`]: (cpu.all / pods) * 1000,
        [`${name}.memory`]: (loadedKb - idleKb) / pods,
        [`${name}.requests`]: requests.length / pods,
      };
    },
  };
}

/** What comes every few seconds, however many pods there are. */
function isOfTime(resource: string): boolean {
  return resource === '' || resource.startsWith('leases.');
}
