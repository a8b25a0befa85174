import { setTimeout as pause } from 'node:timers/promises';
import { Deployment } from '@liqo/kube';
import type { BenchWorld } from '../bench-world.ts';
import { forgePodSpec } from '../pod-load.ts';
import { PodWatch } from '../pod-watch.ts';
import { onePair, type Scenario } from '../scenario.ts';
import { secondsToDelete, secondsToRun } from '../timed-load.ts';

const count = 2000;

/** A small application that starts while many pods of another namespace come, or go. */
export const neighbours: Scenario = {
  name: 'neighbours',
  needs: onePair,
  repeats: 3,
  rows: [
    { id: 'neighbours.alone', title: 'two-pod application, alone', unit: 'ms' },
    {
      id: 'neighbours.come',
      title: `… while ${count} pods of another namespace come`,
      unit: 'ms',
      budget: 1000,
    },
    {
      id: 'neighbours.go',
      title: `… while ${count} pods of another namespace go`,
      unit: 'ms',
      budget: 1000,
    },
  ],
  measure: async (world) => {
    const many = await world.freshNamespace('offloaded');
    const where = { clients: [world.rome.client], namespace: many, place: 'virtual' } as const;
    const alone = await startApplication(world, 'alone');
    const come = await beside(world, () => secondsToRun(where, count), 'come');
    const go = await beside(world, () => secondsToDelete(where, count), 'go');
    return { 'neighbours.alone': alone, 'neighbours.come': come, 'neighbours.go': go };
  },
};

/** The worst of several starts while the others are at it. */
async function beside(
  world: BenchWorld,
  crowd: () => Promise<unknown>,
  name: string,
): Promise<number> {
  let isOver = false;
  const crowded = crowd().finally(() => {
    isOver = true;
  });
  const took: number[] = [];
  for (let i = 0; i < 4; i++) {
    await pause(2000);
    if (isOver) break;
    took.push(await startApplication(world, `${name}-${i}`));
  }
  await crowded;
  return Math.max(...took);
}

/** Milliseconds from the creation of its Deployment until both pods run. */
async function startApplication(world: BenchWorld, name: string): Promise<number> {
  const { client } = world.rome;
  const namespace = await world.freshNamespace('offloaded');
  await using watch = await PodWatch.start(client, namespace);
  const startedMs = performance.now();
  const labels = { app: name };
  await client.create(Deployment, {
    metadata: { namespace, name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: forgePodSpec('virtual') },
    },
  });
  await watch.untilRunning(2);
  const tookMs = performance.now() - startedMs;
  await client.delete(Deployment, { namespace, name }, { propagationPolicy: 'Background' });
  return tookMs;
}
