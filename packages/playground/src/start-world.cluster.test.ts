import { CustomResourceDefinition, Node, Pod } from '@liqo/kube';
import { systemClock, systemRandom } from '@liqo/runtime';
import { expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';

const timeoutMs = 180_000;
const surroundings = { clock: systemClock, random: systemRandom };

test(
  'startWorld() gives the clusters, peers and apps that were wished for',
  async () => {
    await using world = await startWorld({
      kubernetes: await embeddedKubernetes(surroundings),
      consumer: 'rome',
      providers: ['milan', 'turin'],
      virtualNodes: [
        { name: 'north', provider: 'milan', capacity: { cpu: '3', memory: '1Gi', pods: '9' } },
        { name: 'west', provider: 'turin' },
      ],
      offloaded: ['shop'],
      apps: [{ name: 'web', namespace: 'shop', replicas: 4 }],
    });
    expect(world.clusters.map(({ name }) => name)).toEqual(['rome', 'milan', 'turin']);
    const north = await world.cluster('rome').client.get(Node, { name: 'north' });
    expect(north?.status?.capacity).toMatchObject({ cpu: '3', memory: '1Gi', pods: '9' });
    const there = ['milan', 'turin'].map((name) =>
      world.cluster(name).client.list(Pod, { namespace: 'shop-rome' }),
    );
    const pods = (await Promise.all(there)).flatMap(({ items }) => items);
    expect(pods.map(({ status }) => status?.phase)).toEqual(Array(4).fill('Running'));
  },
  timeoutMs,
);

test(
  'startWorld() gives clusters with nothing in them when that is the wish',
  async () => {
    await using world = await startWorld({
      kubernetes: await embeddedKubernetes(surroundings),
      consumer: 'rome',
      providers: ['milan'],
      bare: true,
    });
    for (const { client } of world.clusters) {
      expect((await client.list(Node)).items).toHaveLength(1);
      expect((await client.list(CustomResourceDefinition)).items).toEqual([]);
    }
  },
  timeoutMs,
);

test(
  'startWorld() leaves nothing when a step fails',
  async () => {
    const kubernetes = await embeddedKubernetes(surroundings);
    const started: string[] = [];
    const startCluster: typeof kubernetes.startCluster = async (name, signal) => {
      const cluster = await kubernetes.startCluster(name, signal);
      started.push(cluster.server);
      return cluster;
    };
    const install = () => Promise.reject(new Error('Cannot install'));
    const starting = startWorld({
      kubernetes: { ...kubernetes, startCluster, install },
      consumer: 'rome',
      providers: ['milan'],
    });
    await expect(starting).rejects.toThrow('Cannot install');
    expect(started).toHaveLength(2);
    for (const server of started) await expect(fetch(server)).rejects.toThrow('fetch failed');
  },
  timeoutMs,
);

test(
  'startWorld() heeds its signal',
  async () => {
    const kubernetes = await embeddedKubernetes(surroundings);
    const stop = new AbortController();
    const starting = startWorld({
      kubernetes: { ...kubernetes, install: async () => stop.abort() },
      consumer: 'rome',
      providers: ['milan'],
      signal: stop.signal,
    });
    await expect(starting).rejects.toThrow('aborted');
  },
  timeoutMs,
);
