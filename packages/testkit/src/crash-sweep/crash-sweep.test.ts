import { type Client, ConfigMap } from '@liqo/kube';
import { expect, test } from 'vitest';
import { noFaults, ofCaller } from '../faults/fault-plan.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.ts';
import { type CrashableWorld, describeCrash, sweepCrashes } from './crash-sweep.ts';
import type { ExtraWrite } from './extra-writes.ts';
import type { Recording } from './recording.ts';

const namespace = 'shop';
const keeper = 'keeper';

type Program = (client: Client) => Promise<void>;
interface Shop extends CrashableWorld, TestCluster {
  readonly program: Program;
}

async function openShop(program: Program): Promise<Shop> {
  const cluster = await startTestCluster({ namespaces: [namespace] });
  const { faults } = cluster;
  return {
    ...cluster,
    program,
    callsOf: (process) => faults.callsOf(process),
    crash(process, point) {
      faults.plan = ofCaller(process, point.plan);
      void point.happened.then(() => {
        faults.plan = noFaults;
        run(program, cluster.clientOf(process));
      });
    },
    refuse(process, point) {
      faults.plan = ofCaller(process, point.plan);
    },
  };
}

/** Whoever dies waits for the answer to its last call until the world ends. */
function run(program: Program, client: Client): void {
  program(client).catch(() => undefined);
}

async function play({ program, clientOf, clock, admin }: Shop): Promise<Recording> {
  run(program, clientOf(keeper));
  await clock.settle();
  const { items } = await admin.list(ConfigMap, { namespace });
  const objects = items.map(({ data }) => ({ name: 'map', content: data ?? {} }));
  return [{ name: 'all is over', objects }];
}

const sweep = (program: Program, extraWrites: readonly ExtraWrite[] | 'any' = []) =>
  sweepCrashes({ begin: () => openShop(program), play, processes: [keeper], extraWrites });

const careful: Program = async (client) => {
  for (const name of ['a', 'b']) {
    const metadata = { namespace, name };
    if (await client.get(ConfigMap, metadata)) continue;
    await client.create(ConfigMap, { metadata, data: { name } });
  }
};

test('sweepCrashes() lets a process die before and after each of its writes', async () => {
  expect(await sweep(careful)).toEqual({ points: 4, tried: 4, failures: [] });
});

const anyCreate: ExtraWrite = { reason: 'test', matches: ({ verb }) => verb === 'create' };

const forgetful: Program = async (client) => {
  const metadata = { namespace, generateName: 'a-' };
  await client.create(ConfigMap, { metadata, data: { name: 'a' } });
};

test('sweepCrashes() notices what is there twice afterwards, and names the point', async () => {
  const { failures } = await sweep(forgetful, [anyCreate]);
  expect(failures.map(describeCrash)).toEqual([
    [
      'When "keeper" dies after its write 1 (create configmaps shop):',
      '  when all is over, unexpected: map .name: "a"',
    ].join('\n'),
  ]);
});

const wasteful: Program = async (client) => {
  const metadata = { namespace, name: 'a' };
  for (const _ of [1, 2]) {
    await client.apply(ConfigMap, { metadata, data: { name: 'a' } }, { fieldManager: keeper });
  }
};

test('sweepCrashes() reports every extra write that nothing explains', async () => {
  const { failures } = await sweep(wasteful);
  const extra = '"keeper" made an extra write: patch configmaps shop/a';
  expect(failures.map(({ differences }) => differences)).toEqual([
    [extra],
    [extra],
    [extra, extra],
  ]);
});

const anyPatch: ExtraWrite = { reason: 'test', matches: ({ verb }) => verb === 'patch' };

test('sweepCrashes() allows one extra write for every entry', async () => {
  const { failures } = await sweep(wasteful, [anyPatch]);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.differences).toHaveLength(1);
  expect((await sweep(wasteful, [anyPatch, { ...anyPatch }])).failures).toEqual([]);
  expect((await sweep(wasteful, 'any')).failures).toEqual([]);
});

const refused = (program: Program) =>
  sweepCrashes({
    begin: () => openShop(program),
    play,
    processes: [keeper],
    mishaps: ['refused'],
  });

const persistent: Program = (client) => careful(client).catch(() => careful(client));
const careless: Program = async (client) => {
  for (const name of ['a', 'b']) {
    const metadata = { namespace, name };
    await client.create(ConfigMap, { metadata, data: { name } }).catch(() => undefined);
  }
};

test('sweepCrashes() refuses every write once, and notices who takes that for an answer', async () => {
  expect(await refused(persistent)).toEqual({ points: 2, tried: 2, failures: [] });
  const { failures } = await refused(careless);
  expect(failures.map(describeCrash)).toEqual([
    [
      'When write 1 of "keeper" is refused (create configmaps shop):',
      '  when all is over, missing: map .name: "a"',
    ].join('\n'),
    [
      'When write 2 of "keeper" is refused (create configmaps shop):',
      '  when all is over, missing: map .name: "b"',
    ].join('\n'),
  ]);
});

test('sweepCrashes() tries the points that it is asked to try', async () => {
  const report = await sweepCrashes({
    begin: () => openShop(careful),
    play,
    processes: [keeper],
    isTried: ({ number, when }) => number === 2 && when === 'after',
  });
  expect(report).toEqual({ points: 4, tried: 1, failures: [] });
});
