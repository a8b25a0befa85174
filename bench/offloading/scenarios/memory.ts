import { idleSeconds, lastWordSeconds, onePair, type Scenario } from '../scenario.ts';
import { secondsToDelete, secondsToRun } from '../timed-load.ts';

const count = 2000;

/** What a virtual kubelet holds: with nothing to do, and with many pods, each time after it has come to rest. */
export const memory: Scenario = {
  name: 'memory',
  needs: onePair,
  repeats: 3,
  rows: [
    { id: 'memory.idle', title: 'virtual kubelet, idle, resident', unit: 'MB', budget: 61 },
    { id: 'memory.loaded', title: `virtual kubelet with ${count} pods, resident`, unit: 'MB' },
    { id: 'memory.pod', title: `resident per pod at ${count}, over idle`, unit: 'KB', budget: 20 },
    { id: 'memory.consumer', title: 'controllers of the consumer, resident', unit: 'MB' },
    { id: 'memory.provider', title: 'controllers of the provider, resident', unit: 'MB' },
  ],
  measure: async (world) => {
    const [kubelet] = world.kubelets;
    if (!kubelet) throw new Error('Cannot measure memory: there is no virtual kubelet');
    const namespace = await world.freshNamespace('offloaded');
    const where = { clients: [world.rome.client], namespace, place: 'virtual' } as const;
    await kubelet.restart();
    const idleKb = await kubelet.restingKb(idleSeconds);
    await secondsToRun(where, count);
    const loadedKb = await kubelet.restingKb(lastWordSeconds);
    const { rome, milan } = world.controllers;
    const sample = {
      'memory.idle': idleKb / 1024,
      'memory.loaded': loadedKb / 1024,
      'memory.pod': (loadedKb - idleKb) / count,
      'memory.consumer': rome.usage().residentKb / 1024,
      'memory.provider': milan.usage().residentKb / 1024,
    };
    await secondsToDelete(where, count);
    return sample;
  },
};
