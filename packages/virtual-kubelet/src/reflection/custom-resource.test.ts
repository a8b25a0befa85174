import { labels, NamespaceOffloading } from '@liqo/api';
import { CustomResourceDefinition, mergePatch } from '@liqo/kube';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OffloadingWorld, startWorld } from '../testing/offloading-world.ts';
import {
  defineWidgets,
  grantWidgetsLocally,
  grantWidgetsRemotely,
  Widget,
  widgets,
} from '../testing/widgets.ts';

const local = { namespace: 'shop', name: 'door' };
const remote = { namespace: 'shop-rome', name: 'door' };
const offloading = { namespace: 'shop', name: 'offloading' };
const status = { subresource: 'status' } as const;

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startWorld();
  await world.home.admin.create(NamespaceOffloading, {
    metadata: offloading,
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
  });
});
afterEach(() => world[Symbol.asyncDispose]());

async function prepareBoth(): Promise<void> {
  await defineWidgets(world.home.admin);
  await defineWidgets(world.away.admin, 'blue');
  await grantWidgetsLocally(world);
  await grantWidgetsRemotely(world);
}

const start = () => world.startWorkingKubelet({ customResources: [widgets] });
const original = () => world.home.admin.get(Widget, local);
const copy = () => world.away.admin.get(Widget, remote);

async function create(spec: Widget['spec'] = { size: 2 }, marks = {}): Promise<void> {
  await world.home.admin.create(Widget, { metadata: { ...local, labels: marks }, spec });
}

async function untilCopied(spec: Widget['spec']): Promise<void> {
  await world.until(async () => expect((await copy())?.spec).toEqual(spec));
}

const setStatusThere = (value: object) =>
  world.away.admin.patch(Widget, remote, mergePatch({ status: { ...value } }), status);

async function condition() {
  const found = await world.home.admin.get(NamespaceOffloading, offloading);
  const all = found?.status?.reflectionConditions?.milan ?? [];
  return all.find(({ type }) => type === 'widgets.example.org');
}

const untilCondition = (wanted: object) =>
  world.until(async () => expect(await condition()).toMatchObject(wanted));

const reasons = () =>
  world.events
    .filter(({ regarding }) => regarding.metadata.name === local.name)
    .map(({ reason }) => reason);

describe('an object of a custom resource', () => {
  beforeEach(async () => {
    await prepareBoth();
    await start();
  });

  test('has its spec at the provider, and the status of there, with the generation of here', async () => {
    await create();
    await untilCopied({ size: 2, color: 'blue' });
    await world.home.admin.patch(Widget, local, mergePatch({ spec: { size: 3 } }));
    await untilCopied({ size: 3, color: 'blue' });
    await setStatusThere({ phase: 'Open', observedGeneration: 2 });
    await world.until(async () => {
      expect((await original())?.status).toEqual({ phase: 'Open', observedGeneration: 2 });
    });
    await setStatusThere({ phase: null });
    await world.until(async () =>
      expect((await original())?.status).toEqual({ observedGeneration: 2 }),
    );
    await untilCondition({ status: 'True', reason: 'Reflected' });
  });

  test('leaves fields of the spec alone that the provider has added', async () => {
    await create({ size: 2 });
    await untilCopied({ size: 2, color: 'blue' });
    await world.away.admin.patch(Widget, remote, mergePatch({ spec: { color: 'red' } }));
    await world.pass(5_000);
    expect((await copy())?.spec).toEqual({ size: 2, color: 'red' });
  });

  test('goes at the provider when it goes', async () => {
    await create();
    await untilCopied({ size: 2, color: 'blue' });
    await world.home.admin.delete(Widget, local);
    await world.until(async () => expect(await copy()).toBeUndefined());
  });

  test('keeps the fields of its status that a controller of its own cluster writes', async () => {
    await create();
    await untilCopied({ size: 2, color: 'blue' });
    const own = mergePatch({ status: { phase: 'Mine' } });
    const options = { ...status, fieldManager: 'widget-controller' };
    await world.home.admin.patch(Widget, local, own, options);
    await setStatusThere({ phase: 'Theirs' });
    await untilCondition({
      status: 'False',
      reason: 'StatusConflict',
      message: expect.stringContaining('widget-controller'),
    });
    expect(reasons()).toContain('StatusConflict');
    expect((await original())?.status).toEqual({ phase: 'Mine' });
    await world.home.admin.patch(Widget, local, mergePatch({ status: { phase: null } }), options);
    await world.until(async () => expect((await original())?.status?.phase).toBe('Theirs'));
    await untilCondition({ status: 'True' });
  });

  test('gets no status that is too large, or nested too deep', async () => {
    await create();
    await untilCopied({ size: 2, color: 'blue' });
    await setStatusThere({ phase: 'x'.repeat(100_000) });
    await untilCondition({ reason: 'StatusRefused', message: expect.stringContaining('KiB') });
    let deep: object = {};
    for (let level = 0; level < 40; level += 1) deep = { deep };
    await setStatusThere({ phase: null, deep });
    await untilCondition({ reason: 'StatusRefused', message: expect.stringContaining('nested') });
    expect((await original())?.status).toBeUndefined();
  });

  test('is not written more than once a second for a status that changes all the time', async () => {
    await create();
    await untilCopied({ size: 2, color: 'blue' });
    const { calls } = world.home.faults;
    calls.length = 0;
    for (let nth = 0; nth < 100; nth += 1) {
      await setStatusThere({ phase: `at ${nth}` });
      await world.pass(50);
    }
    await world.until(async () => expect((await original())?.status?.phase).toBe('at 99'));
    const writes = calls.filter((call) => isWrite(call) && call.resource.startsWith('widgets'));
    expect(writes.length).toBeGreaterThan(3);
    expect(writes.length).toBeLessThan(13);
  });

  test('that is a copy itself goes no further, and says so', async () => {
    await create({ size: 2 }, { [labels.origin]: 'milan', [labels.destination]: 'rome' });
    await untilCondition({ status: 'False', reason: 'ReflectionLoop' });
    expect(reasons()).toContain('ReflectionLoop');
    expect(await copy()).toBeUndefined();
  });

  test('gives its status back when it is to be skipped', async () => {
    await create();
    await untilCopied({ size: 2, color: 'blue' });
    await setStatusThere({ phase: 'Open' });
    await world.until(async () => expect((await original())?.status?.phase).toBe('Open'));
    const skip = { annotations: { 'liqo.io/skip-reflection': 'true' } };
    await world.home.admin.patch(Widget, local, mergePatch({ metadata: skip }));
    await world.until(async () => expect(await copy()).toBeUndefined());
    await world.until(async () => expect((await original())?.status?.phase).toBeUndefined());
  });

  test('whose copy is changed back each time is reported', async () => {
    await create();
    for (let nth = 0; nth < 5; nth += 1) {
      await untilCopied({ size: 2, color: 'blue' });
      await world.away.admin.patch(Widget, remote, mergePatch({ spec: { size: 9 } }));
    }
    await untilCondition({ status: 'False', reason: 'CopyChanged' });
  });
});

describe('a custom resource', () => {
  test('that the provider does not have is reported, and reflected once it has it, again and again', async () => {
    await defineWidgets(world.home.admin);
    await grantWidgetsLocally(world);
    await grantWidgetsRemotely(world);
    await start();
    await create();
    await untilCondition({ status: 'False', reason: 'MissingAtProvider' });
    for (let nth = 0; nth < 2; nth += 1) {
      await defineWidgets(world.away.admin, 'blue');
      await untilCopied({ size: 2, color: 'blue' });
      await untilCondition({ status: 'True', reason: 'Reflected' });
      await world.away.admin.delete(CustomResourceDefinition, { name: 'widgets.example.org' });
      await untilCondition({ status: 'False', reason: 'MissingAtProvider' });
    }
  });

  test('that this cluster does not have is reported', async () => {
    await defineWidgets(world.away.admin, 'blue');
    await start();
    await untilCondition({ status: 'False', reason: 'MissingAtConsumer' });
  });

  test('to which the provider grants no right is reported, and reflected once it does', async () => {
    await defineWidgets(world.home.admin);
    await defineWidgets(world.away.admin, 'blue');
    await grantWidgetsLocally(world);
    await start();
    await create();
    await untilCondition({ status: 'False', reason: 'NotGranted' });
    await grantWidgetsRemotely(world);
    await untilCopied({ size: 2, color: 'blue' });
    await untilCondition({ status: 'True' });
    const denied = world.away.denied.denials.splice(0);
    expect(denied.every(({ message }) => message.includes('"widgets"'))).toBe(true);
  });
});
