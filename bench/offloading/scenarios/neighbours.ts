import { setTimeout as pause } from 'node:timers/promises';
import { type Client, Deployment } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import type { BenchWorld } from '../bench-world.ts';
import { forgePodSpec, type Place } from '../pod-load.ts';
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
      id: 'neighbours.floor-come',
      title: `… while ${count} others come, with no offloading at all`,
      unit: 'ms',
    },
    {
      id: 'neighbours.floor-go',
      title: `… while ${count} others go, with no offloading at all`,
      unit: 'ms',
    },
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
    const alone = await startApplication(world, 'virtual', 'alone');
    const floor = await measureCrowd(world, 'hollow');
    const ours = await measureCrowd(world, 'virtual');
    return {
      'neighbours.alone': alone,
      'neighbours.floor-come': floor.come,
      'neighbours.floor-go': floor.go,
      'neighbours.come': ours.come,
      'neighbours.go': ours.go,
    };
  },
};

/** With no offloading the crowd is in both clusters, as everything that has no offloading. */
async function measureCrowd(world: BenchWorld, place: Place) {
  const { rome, milan } = world;
  const clients = place === 'virtual' ? [rome.client] : [rome.client, milan.client];
  const namespace = await freshNamespace(world, place);
  const where = { clients, namespace, place };
  const application = (name: string) => startApplication(world, place, name);
  const come = await beside(application, () => secondsToRun(where, count), 'come');
  const go = await beside(application, () => secondsToDelete(where, count), 'go');
  return { come, go };
}

function freshNamespace(world: BenchWorld, place: Place): Promise<string> {
  return world.freshNamespace(place === 'virtual' ? 'offloaded' : 'apart');
}

/** The worst of several starts while the others are at it. */
async function beside(
  application: (name: string) => Promise<number>,
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
    took.push(await application(`${name}-${i}`));
  }
  await crowded;
  return Math.max(...took);
}

/** Whoever starts it has a connection of their own, and does not stand in line behind those who make the crowd. */
async function connectNewcomer({ rome }: BenchWorld): Promise<Client> {
  const kubeconfig = await rome.kubeconfigFor({ name: 'newcomer', groups: ['system:masters'] });
  const surroundings = { clock: systemClock, random: systemRandom };
  return connectKubeconfig(parseKubeconfig(kubeconfig, 'kubeconfig'), surroundings);
}

/** Milliseconds from the creation of its Deployment until both pods run. */
async function startApplication(world: BenchWorld, place: Place, name: string): Promise<number> {
  await using client = await connectNewcomer(world);
  const namespace = await freshNamespace(world, place);
  await using watch = await PodWatch.start(client, namespace);
  const startedMs = performance.now();
  const labels = { app: name };
  await client.create(Deployment, {
    metadata: { namespace, name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: forgePodSpec(place) },
    },
  });
  await watch.untilRunning(2);
  const tookMs = performance.now() - startedMs;
  await client.delete(Deployment, { namespace, name }, { propagationPolicy: 'Background' });
  return tookMs;
}
