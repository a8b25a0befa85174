import type { WorldNeeds } from '../bench-world.ts';
import { CpuMeter } from '../cpu-meter.ts';
import { onePair, type Scenario } from '../scenario.ts';
import { secondsToDelete, secondsToRun } from '../timed-load.ts';

/** By then the last word about a pod has been said. */
const restSeconds = 45;

/** What a pod costs when there are more pods, or more virtual nodes: time, processor, memory. */
export function growth(pods: number, virtualNodes: number): Scenario {
  const name = `growth-${pods}x${virtualNodes}`;
  const title = (what: string) => `${pods} pods on ${virtualNodes} nodes: ${what}`;
  const needs: WorldNeeds = { ...onePair, virtualNodes, kubeletProcesses: 'one for all' };
  return {
    name,
    needs: virtualNodes === 1 ? onePair : needs,
    repeats: 1,
    rows: [
      { id: `${name}.time`, title: title('time per pod'), unit: 'ms' },
      { id: `${name}.cpu`, title: title('CPU of the product per pod'), unit: 'ms' },
      { id: `${name}.memory`, title: title('resident per pod, kubelets'), unit: 'KB' },
    ],
    measure: async (world) => {
      const namespace = await world.freshNamespace('offloaded');
      const where = { clients: [world.rome.client], namespace, place: 'virtual' } as const;
      for (const kubelet of world.kubelets) await kubelet.restart();
      const resident = async (seconds: number) => {
        const all = await Promise.all(world.kubelets.map((one) => one.restingKb(seconds)));
        return all.reduce((sum, kb) => sum + kb, 0);
      };
      const idleKb = await resident(restSeconds);
      const meter = new CpuMeter(world);
      const seconds = await secondsToRun(where, pods);
      const cpu = meter.read();
      const loadedKb = await resident(restSeconds);
      await secondsToDelete(where, pods);
      return {
        [`${name}.time`]: (seconds / pods) * 1000,
        [`${name}.cpu`]: (cpu.all / pods) * 1000,
        [`${name}.memory`]: (loadedKb - idleKb) / pods,
      };
    },
  };
}
