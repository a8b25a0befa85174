import { Client, ConfigMap, isConflict, mergePatch } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock } from '@liqo/runtime';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { isWrite } from './api-call.ts';
import { delayed, type Fault, failAfterEffect, lostAnswer, lostRequest, refusal } from './fault.ts';
import { always, faultOn, ofCaller } from './fault-plan.ts';
import { FaultScript } from './fault-script.ts';
import { FaultyCalls } from './faulty-calls.ts';

const key = { namespace: 'shop', name: 'web' };
const web: ConfigMap = { metadata: key, data: { colour: 'red' } };

/** A cluster, and somebody whose writes suffer this. */
async function start(
  fault: Fault,
  clock = new VirtualClock(),
): Promise<TestCluster & { readonly alice: Client }> {
  const world = await startTestCluster({ clock, namespaces: ['shop'] });
  world.faults.plan = faultOn(isWrite, fault);
  return { ...world, alice: world.clientOf('alice') };
}

async function isStored({ admin }: TestCluster): Promise<boolean> {
  return (await admin.get(ConfigMap, key)) !== undefined;
}

test.each([
  ['fails before', refusal(500), { code: 500 }, false],
  ['conflicts before', refusal(409), { code: 409, reason: 'Conflict' }, false],
  ['fails after', failAfterEffect(503), { code: 503 }, true],
  ['is cut off before', lostRequest('reset'), { name: 'TransportError', sent: true }, false],
  ['is cut off after', lostAnswer('reset'), { name: 'TransportError', sent: true }, true],
  ['is given twice, and the second counts', { twice: 'second answer' }, { code: 409 }, true],
] as const)('A create that %s', async (_, fault, failure, stored) => {
  await using world = await start(fault);
  expect(await rejection(world.alice.create(ConfigMap, web))).toMatchObject(failure);
  expect(await isStored(world)).toBe(stored);
});

test('A create that is given twice, and the first counts, succeeds', async () => {
  await using world = await start({ twice: 'first answer' });
  expect(await world.alice.create(ConfigMap, web)).toMatchObject(web);
  expect(await isStored(world)).toBe(true);
});

test.each([
  ['before', lostRequest('stall'), false],
  ['after', lostAnswer('stall'), true],
] as const)(
  'A create that vanishes %s its effect ends at the deadline',
  async (_, fault, stored) => {
    await using world = await start(fault);
    const error = rejection(world.alice.create(ConfigMap, web, { timeoutMs: 5_000 }));
    await world.clock.advance(5_000);
    expect(await error).toMatchObject({ name: 'DeadlineError' });
    expect(await isStored(world)).toBe(stored);
  },
);

test('A connection that is refused is tried again, since nothing was sent', async () => {
  await using world = await start({});
  const script = new FaultScript();
  script.next(isWrite, lostRequest('refuse'), refusal(429, '7'));
  world.faults.plan = script.plan;
  const created = world.alice.create(ConfigMap, web);
  await world.clock.advance(7_000);
  expect(await isStored(world)).toBe(false);
  await world.clock.advance(2_000);
  expect(await created).toMatchObject(web);
  expect(world.faults.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

test('A delayed call takes its time on both ways', async () => {
  await using world = await start(delayed(1_000, 2_000));
  let answeredMs = Number.NaN;
  void world.alice.create(ConfigMap, web).then(() => {
    answeredMs = world.clock.monotonicMs();
  });
  await world.clock.advance(999);
  expect(await isStored(world)).toBe(false);
  await world.clock.advance(1);
  expect(await isStored(world)).toBe(true);
  await world.clock.advance(10_000);
  expect(answeredMs).toBe(3_000);
});

test('A delayed write arrives though its sender has given up', async () => {
  await using world = await start(delayed(1_000));
  const giveUp = new AbortController();
  const call = world.alice.create(ConfigMap, web, { signal: giveUp.signal });
  await world.clock.settle();
  giveUp.abort(new Error('enough'));
  expect(await rejection(call)).toMatchObject({ message: 'enough' });
  await world.clock.advance(1_000);
  expect(await isStored(world)).toBe(true);
});

test('A fault may let somebody else act first, or right after', async () => {
  await using world = await start({});
  const { alice, admin, faults } = world;
  const created = await alice.create(ConfigMap, web);
  const meddle = () => admin.update(ConfigMap, { ...created, data: { colour: 'blue' } });
  faults.plan = faultOn(isWrite, { before: meddle });
  expect(isConflict(await rejection(alice.update(ConfigMap, created)))).toBe(true);
  faults.plan = faultOn(isWrite, { after: () => admin.delete(ConfigMap, key) });
  const painted = await alice.patch(ConfigMap, key, mergePatch({ data: { colour: 'green' } }));
  expect(painted.data).toEqual({ colour: 'green' });
  expect(await isStored(world)).toBe(false);
});

test('Calls of others are left alone, and everybody is counted', async () => {
  await using world = await start({});
  const [alice, bob] = [world.alice, world.clientOf('bob')];
  world.faults.plan = ofCaller('alice', () => refusal(500));
  await rejection(alice.get(ConfigMap, key));
  await bob.create(ConfigMap, web);
  await bob.get(ConfigMap, key);
  const seen = (who: string) =>
    world.faults.callsOf(who).map(({ verb, resource }) => [verb, resource]);
  expect(seen('alice')).toEqual([['get', 'configmaps']]);
  expect(seen('bob')).toEqual([
    ['create', 'configmaps'],
    ['get', 'configmaps'],
  ]);
});

test.each([
  ['refused', lostRequest('refuse')],
  ['cut off before', lostRequest('reset')],
  ['cut off after', lostAnswer('close')],
] as const)('A call over the network that is %s loses its connection', async (_, fault) => {
  // Certificates are judged by the machine's own clock.
  const clock = new VirtualClock({ startMs: systemClock.now() });
  await using world = await start({}, clock);
  const { cluster, random, faults } = world;
  const config = parseKubeconfig(
    cluster.kubeconfigFor({ name: 'carol', groups: ['system:masters'] }),
    'x',
  );
  await using carol = await connectKubeconfig(config, { clock, random });
  expect(await carol.list(ConfigMap, { namespace: 'shop' })).toMatchObject({ items: [] });
  faults.plan = faultOn(isWrite, fault);
  expect(await rejection(carol.create(ConfigMap, web))).toMatchObject({ name: 'TransportError' });
  expect(await isStored(world)).toBe(fault.noAnswer === 'close');
  expect(faults.callsOf('carol').map(({ verb }) => verb)).toEqual(['list', 'create']);
});

test('under() puts a plan under one client, and leaves others of the same user alone', async () => {
  await using world = await start({});
  const { cluster, clock, random } = world;
  const user = { name: 'alice', groups: ['system:masters'] };
  const faults = new FaultyCalls({ clock, plan: always(refusal(500)) });
  const transport = faults.under(cluster.transportFor(user), 'first');
  await using first = new Client({ transport, clock, random });
  expect(await rejection(first.create(ConfigMap, web))).toMatchObject({ code: 500 });
  expect(await world.alice.create(ConfigMap, web)).toMatchObject(web);
  faults.plan = () => undefined;
  expect(await first.get(ConfigMap, key)).toMatchObject(web);
  expect(faults.callsOf('first').map(({ verb }) => verb)).toEqual(['create', 'get']);
});
