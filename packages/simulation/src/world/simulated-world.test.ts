import { VirtualNode } from '@liqo/api';
import { findCondition, Lease, Namespace, Node, Pod } from '@liqo/kube';
import { beforeAll, expect, test } from 'vitest';
import {
  createVirtualNode,
  drainNode,
  node,
  offloadNamespace,
  openShop,
  tenantNamespace,
} from '../story/shop.ts';
import { isDrained, isNodeReady, isOpen, isVirtualNodeGone } from '../story/shop-conditions.ts';
import { type Blueprint, drawBlueprint } from './blueprint.ts';
import { type SimulatedWorld, startSimulatedWorld } from './simulated-world.ts';

/** Whole worlds: a busy machine takes its time. */
const timeout = 600_000;
let blueprint: Blueprint;

beforeAll(async () => {
  blueprint = await drawBlueprint(['rome', 'milan']);
}, timeout);

const kubelet = `rome/virtual-kubelet(${node})`;

async function startWithNode(seed = 1): Promise<SimulatedWorld> {
  const world = await startSimulatedWorld({ seed, blueprint });
  const { admin } = world.cluster('rome');
  await createVirtualNode(admin);
  await world.until('the node is ready', () => isNodeReady(admin));
  return world;
}

/** From now on whoever changes what a server has stored, and thereby what it has handed over, fails. */
function freezeStores(world: SimulatedWorld): void {
  for (const { cluster } of world.clusters.values())
    deepFreeze(cluster.snapshot().store.collections);
  world.clock.after(500, () => freezeStores(world));
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const parts = value instanceof Map ? value.values() : Object.values(Object.freeze(value));
  for (const part of parts) deepFreeze(part);
}

async function historyOf(seed: number): Promise<readonly string[]> {
  await using world = await startWithNode(seed);
  await world.settle();
  const { metadata } = (await world.cluster('rome').admin.get(Node, { name: node })) ?? {};
  const calls = world.calls.map((call) => `${call.who} ${call.method} ${call.path} ${call.body}`);
  return [...calls, metadata?.uid ?? ''];
}

test(
  'startSimulatedWorld() gives the same history for the same seed, and another for another',
  async () => {
    const history = await historyOf(1);
    expect(await historyOf(1)).toEqual(history);
    expect(await historyOf(2)).not.toEqual(history);
  },
  timeout,
);

test(
  'nobody changes what a server has handed over',
  async () => {
    await using world = await startSimulatedWorld({ seed: 1, blueprint });
    freezeStores(world);
    const { admin } = world.cluster('rome');
    await createVirtualNode(admin);
    await world.until('the node is ready', () => isNodeReady(admin));
    await offloadNamespace(admin);
    await openShop(admin, 3);
    await world.until('three pods run', () => isOpen(admin, 3));
    await drainNode(admin);
    await world.until('the node is drained', () => isDrained(admin));
  },
  timeout,
);

test(
  'a virtual kubelet runs for as long as its pod does',
  async () => {
    await using world = await startWithNode();
    expect(world.processes.get(kubelet)?.isRunning).toBe(true);
    const { admin } = world.cluster('rome');
    await admin.delete(VirtualNode, { namespace: tenantNamespace, name: node });
    await world.until('the virtual node is gone', () => isVirtualNodeGone(admin));
    expect(world.processes.has(kubelet)).toBe(false);
  },
  timeout,
);

test(
  'a process that is killed neither asks nor hears anything, and its node is lost',
  async () => {
    await using world = await startWithNode();
    world.processes.get(kubelet)?.kill();
    const before = world.callsOf(kubelet).length;
    await world.pass(120_000);
    expect(world.callsOf(kubelet)).toHaveLength(before);
    const { status } = (await world.cluster('rome').admin.get(Node, { name: node })) ?? {};
    expect(findCondition(status?.conditions, 'Ready')?.status).toBe('Unknown');
  },
  timeout,
);

test(
  'a process that was killed goes on when it is started again',
  async () => {
    await using world = await startWithNode();
    const process = world.processes.get(kubelet);
    process?.kill();
    await world.pass(120_000);
    process?.start();
    const { admin } = world.cluster('rome');
    await world.until('the node is ready', () => isNodeReady(admin));
    expect(process?.starts).toBe(2);
  },
  timeout,
);

test(
  'a process that is stopped says goodbye: it gives its lease up',
  async () => {
    await using world = await startWithNode();
    void world.processes.get(kubelet)?.stop();
    await world.pass(10_000);
    const { admin } = world.cluster('rome');
    const lease = await admin.get(Lease, { namespace: 'kube-node-lease', name: node });
    expect(lease?.spec?.holderIdentity ?? '').toBe('');
  },
  timeout,
);

test(
  'settle() ends when nothing changes any more, and says so when that never happens',
  async () => {
    await using world = await startWithNode();
    await world.settle();
    const { written } = world;
    await world.pass(200_000);
    expect(world.written).toBe(written);
    const { admin } = world.cluster('rome');
    const meddle = () => {
      void admin.delete(Node, { name: 'nobody' }).catch(() => undefined);
      world.clock.after(5_000, meddle);
    };
    meddle();
    const settling = world.settle({ limitMs: 60_000 });
    await expect(settling).rejects.toThrow('Cannot settle: still changing after 60 s');
  },
  timeout,
);

test(
  'answer() lets time pass for a server that waits before it answers, and no longer',
  async () => {
    await using world = await startSimulatedWorld({ seed: 1, blueprint });
    const { admin } = world.cluster('milan');
    await admin.create(Namespace, { metadata: { name: 'new' } });
    const spec = { containers: [{ name: 'main', image: 'main' }] };
    // There is no account for it yet.
    await world.answer(admin.create(Pod, { metadata: { namespace: 'new', name: 'early' }, spec }));
    expect(world.clock.monotonicMs()).toBeGreaterThan(0);
    expect(world.clock.monotonicMs()).toBeLessThan(1_000);
    const refused = admin.create(Namespace, { metadata: { name: 'new' } });
    await expect(world.answer(refused)).rejects.toThrow('already exists');
  },
  timeout,
);
