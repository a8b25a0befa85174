import { ConfigMap, Lease, mergePatch } from '@liqo/kube';
import { type Stoppable, silentLogger } from '@liqo/runtime';
import { type ApiCall, always, isWrite, lostRequest, ofCaller } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createVirtualNode,
  type OffloadingWorld,
  startWorld,
  tenantNamespace,
} from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startWorld();
  await createVirtualNode(world, 'second');
});
afterEach(() => world[Symbol.asyncDispose]());

const names = Array.from({ length: 20 }, (_, nth) => `settings-${nth}`);

/** Each with calls to both clusters under a name of its own. */
function startKubelet(name: string): Promise<Stoppable> {
  return world.startWorkingKubelet({
    identity: name,
    virtualNode: { namespace: tenantNamespace, name },
    connectProvider: () => world.connect(`rome-${name}`),
    log: silentLogger,
  });
}

async function leader(): Promise<string> {
  const name = 'virtual-kubelet-leader-election-milan';
  const lease = await world.home.admin.get(Lease, { namespace: tenantNamespace, name });
  return lease?.spec?.holderIdentity ?? '';
}

const isConfigMapWrite = (call: ApiCall) => isWrite(call) && call.resource === 'configmaps';

function writers(): ReadonlySet<string> {
  return new Set(world.away.faults.calls.filter(isConfigMapWrite).map(({ who }) => who));
}

/** How often each copy was written, by name. */
async function expectEachOnce(wanted: readonly string[]): Promise<void> {
  const { items } = await world.away.admin.list(ConfigMap, { namespace: 'shop-rome' });
  const found = items.map(({ metadata }) => metadata.name).filter((name) => wanted.includes(name));
  expect(found.sort()).toEqual([...wanted].sort());
  const writes = world.away.faults.calls
    .filter(isConfigMapWrite)
    .map(({ name }) => name ?? '')
    .filter((name) => wanted.includes(name));
  expect(writes.sort()).toEqual([...wanted].sort());
}

async function create(wanted: readonly string[]): Promise<void> {
  for (const name of wanted) {
    const metadata = { namespace: 'shop', name };
    await world.home.admin.create(ConfigMap, { metadata, data: { mode: 'fast' } });
  }
}

async function untilReflected(wanted: readonly string[]): Promise<void> {
  await world.until(async () => {
    const { items } = await world.away.admin.list(ConfigMap, { namespace: 'shop-rome' });
    const found = new Set(items.map(({ metadata }) => metadata.name));
    expect(wanted.filter((name) => !found.has(name))).toEqual([]);
  });
}

describe('of two virtual nodes of one provider', () => {
  beforeEach(async () => {
    await startKubelet('mynode');
    await world.until(async () => expect(await leader()).toBe('mynode/mynode'));
    await startKubelet('second');
  });

  test('one reflects every object, once', async () => {
    await create(names);
    await untilReflected(names);
    await world.pass(5_000);
    await expectEachOnce(names);
    expect(writers()).toEqual(new Set(['rome-mynode']));
  });

  test('the other one goes on when the first dies in the middle, and writes only what is missing', async () => {
    const [before, after] = [names.slice(0, 10), names.slice(10)];
    await create(before);
    await untilReflected(before);
    const dead = always(lostRequest('stall'));
    world.home.faults.plan = ofCaller('mynode', dead);
    world.away.faults.plan = ofCaller('rome-mynode', dead);
    await create(after);
    await world.home.admin.patch(
      ConfigMap,
      { namespace: 'shop', name: 'settings-0' },
      mergePatch({ data: { mode: 'slow' } }),
    );
    world.away.faults.calls.length = 0;
    await untilReflected(after);
    expect(await leader()).toBe('second/second');
    await world.pass(5_000);
    await expectEachOnce([...after, 'settings-0']);
    expect(writers()).toEqual(new Set(['rome-second']));
    const key = { namespace: 'shop-rome', name: 'settings-0' };
    expect((await world.away.admin.get(ConfigMap, key))?.data).toEqual({ mode: 'slow' });
  });

  test('the first one writes nothing more when it comes back after its term', async () => {
    const dead = always(lostRequest('stall'));
    world.home.faults.plan = ofCaller('mynode', dead);
    world.away.faults.plan = ofCaller('rome-mynode', dead);
    await world.until(async () => expect(await leader()).toBe('second/second'));
    world.home.faults.plan = ofCaller('', dead);
    world.away.faults.plan = ofCaller('', dead);
    world.away.faults.calls.length = 0;
    await create(names);
    await untilReflected(names);
    await world.pass(60_000);
    await expectEachOnce(names);
    expect(writers()).toEqual(new Set(['rome-second']));
  });
});
