import { VirtualNode } from '@liqo/api';
import { mergePatch, Node } from '@liqo/kube';
import { faultOn, isWrite, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld, tenantNamespace } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const key = { name: 'mynode' };
const isLivez = ({ path }: { readonly path: string }) => path.startsWith('/livez');

function node() {
  return world.home.admin.get(Node, key);
}

function writes(): string[] {
  const { calls } = world.home.faults;
  return calls.filter(isWrite).map(({ verb, resource, name }) => `${verb} ${resource} ${name}`);
}

async function untilReady(status: string) {
  return world.until(async () => {
    const ready = await world.readiness();
    expect(ready).toMatchObject({ status });
    return ready;
  });
}

async function changeVirtualNode(spec: object): Promise<void> {
  const name = { namespace: tenantNamespace, name: 'mynode' };
  await world.home.admin.patch(VirtualNode, name, mergePatch({ spec } as never));
}

describe('a node at rest', () => {
  test('writes 0.15 times a second at most, with pods on it', async () => {
    await world.runPod('web');
    await world.pass(5_000);
    world.home.faults.calls.length = 0;
    world.away.faults.calls.length = 0;
    await world.clock.advance(600_000);
    expect(writes().length).toBeLessThanOrEqual(90);
    expect(writes().filter((write) => !write.includes('leases'))).toHaveLength(2);
    expect(world.away.faults.calls.filter(isWrite)).toEqual([]);
  });

  test('writes nothing but its lease after a restart', async () => {
    await world.runPod('web');
    const { Port: port = 0 } = (await node())?.status?.daemonEndpoints?.kubeletEndpoint ?? {};
    await world.stop(world.kubelet);
    world.home.faults.calls.length = 0;
    world.away.faults.calls.length = 0;
    await world.startWorkingKubelet({
      endpoint: { host: '127.0.0.1', port, certificateType: 'kubelet' },
    });
    await world.pass(60_000);
    expect(writes().length).toBeGreaterThan(0);
    expect(writes().filter((write) => !write.includes('leases'))).toEqual([]);
    expect(world.away.faults.calls.filter(isWrite)).toEqual([]);
  });

  test('writes nothing but its lease after a restart in which the provider answers late', async () => {
    await world.runPod('web');
    const { Port: port = 0 } = (await node())?.status?.daemonEndpoints?.kubeletEndpoint ?? {};
    await world.stop(world.kubelet);
    world.home.faults.calls.length = 0;
    world.away.faults.plan = faultOn(isLivez, { answerTakesMs: 4_000 });
    await world.startWorkingKubelet({
      endpoint: { host: '127.0.0.1', port, certificateType: 'kubelet' },
    });
    await world.pass(60_000);
    expect(writes().filter((write) => !write.includes('leases'))).toEqual([]);
  });
});

describe('what the VirtualNode no longer wants', () => {
  test('goes from the node, and what others put there stays', async () => {
    const theirs = { metadata: { labels: { theirs: 'yes' } } };
    await world.home.admin.patch(Node, key, mergePatch(theirs));
    const taints = [
      ...((await node())?.spec?.taints ?? []),
      { key: 'theirs', effect: 'NoSchedule' },
    ];
    await world.home.admin.patch(Node, key, mergePatch({ spec: { taints } } as never));
    const hard = { cpu: '1', pods: null };
    await changeVirtualNode({ labels: null, taints: null, resourceQuota: { hard } });
    await world.until(async () => {
      const found = await node();
      expect(found?.metadata.labels).toMatchObject({ theirs: 'yes' });
      expect(found?.metadata.labels).not.toHaveProperty('tier');
      const keys = found?.spec?.taints?.map((taint) => taint.key);
      expect(keys).toEqual(['virtual-node.liqo.io/not-allowed', 'theirs']);
      expect(found?.status?.capacity).toEqual({ cpu: '1', memory: '4Gi' });
      expect(found?.status?.allocatable).toEqual({ cpu: '1', memory: '4Gi' });
    });
  });

  test('is remembered by the node itself: it goes also if the kubelet was not there', async () => {
    await world.stop(world.kubelet);
    await changeVirtualNode({ labels: null, taints: null });
    await world.startWorkingKubelet();
    await world.until(async () => {
      expect((await node())?.metadata.labels).not.toHaveProperty('tier');
      expect((await node())?.spec?.taints).toHaveLength(1);
    });
  });
});

test('a node that somebody deletes comes back, with its state', async () => {
  const before = await node();
  await world.home.admin.delete(Node, key);
  await world.until(async () => {
    const after = await node();
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(after?.status?.capacity).toEqual(before?.status?.capacity);
  });
  await untilReady('True');
});

test('a node that somebody deletes again and again comes back once a second at most', async () => {
  const startMs = world.clock.monotonicMs();
  const deletions = 5;
  for (let i = 0; i < deletions; i++) {
    await world.home.admin.delete(Node, key);
    await world.until(async () => expect(await node()).toBeDefined());
  }
  expect(world.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual((deletions - 1) * 1_000);
});

describe('the readiness of a node', () => {
  test.each([
    ['refuses connections', lostRequest('refuse'), /no answer since .*Z: .*refused/],
    ['never answers', lostRequest('stall'), /no answer since .*Z: .*did not answer in time/],
    ['does not know us any more', refusal(401), /does not accept the credentials .*401/],
    ['forbids it', refusal(403), /does not grant the credentials .*403/],
    ['fails', refusal(500), /no answer since .*Z: .*500/],
  ])('ends when the provider %s, says why, and comes back', async (_, fault, why) => {
    world.away.faults.plan = faultOn(isLivez, fault);
    const startMs = world.clock.monotonicMs();
    const ready = await untilReady('False');
    expect(ready?.message).toMatch(why);
    const tookMs = world.clock.monotonicMs() - startMs;
    expect(tookMs).toBeGreaterThan(10_000);
    expect(tookMs).toBeLessThan(45_000);
    world.away.faults.plan = noFaults;
    await untilReady('True');
  });

  test('is not touched by one lost answer', async () => {
    let isFirst = true;
    world.away.faults.plan = (call) => {
      if (!isLivez(call) || !isFirst) return undefined;
      isFirst = false;
      return lostRequest('stall');
    };
    world.home.faults.calls.length = 0;
    await world.pass(60_000);
    expect(isFirst).toBe(false);
    expect(writes().filter((write) => !write.includes('leases'))).toEqual([]);
  });

  test('is not lost with a lease that goes on: Kubernetes hears from the node itself', async () => {
    world.away.faults.plan = faultOn(isLivez, lostRequest('refuse'));
    await untilReady('False');
    world.home.faults.calls.length = 0;
    await world.pass(60_000);
    expect(writes().filter((write) => write.includes('leases')).length).toBeGreaterThanOrEqual(5);
  });
});

test('a node that is not a virtual one is left alone, and the VirtualNode is told', async () => {
  await world.stop(world.kubelet);
  await world.home.admin.delete(Node, key);
  const stranger = await world.home.admin.create(Node, { metadata: key });
  await world.startWorkingKubelet();
  await world.pass(30_000);
  expect(await node()).toEqual(stranger);
  expect(world.events.at(-1)).toMatchObject({ reason: 'NameTaken', type: 'Warning' });
});
