import { ConfigMap } from '@liqo/kube';
import { startTestCluster } from '@liqo/testkit/cluster';
import { faultOn, isList, isWatch, noFaults, refusal } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger, silentLogger } from '../log/log.ts';
import { type Informer, type InformerOptions, startInformer } from './informer.ts';

async function startWorld() {
  const world = await startTestCluster({ namespaces: ['shop'] });
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, clock, random, faults } = world;
  const client = world.clientOf('reader');
  const told: string[] = [];
  return {
    told,
    clock,
    faults,
    create: (name: string) => admin.create(ConfigMap, { metadata: { namespace: 'shop', name } }),
    start: (options: Partial<InformerOptions<ConfigMap>>, onAdd: () => void = () => undefined) => {
      const selection = { namespace: 'shop' };
      const shared = { client, clock, random, log: silentLogger, selection };
      const informer = startInformer({ ...shared, kind: ConfigMap, ...options });
      onTestFinished(() => informer[Symbol.asyncDispose]());
      informer.subscribe({
        onAdd: ({ metadata }) => {
          told.push(metadata.name);
          onAdd();
        },
        onUpdate: () => undefined,
        onDelete: () => undefined,
      });
      return informer;
    },
  };
}

test('Reflector drops a list during which it was stopped', async () => {
  const { create, start, told, clock } = await startWorld();
  await create('one');
  const informer: Informer<ConfigMap> = start({
    transform: (object) => {
      void informer[Symbol.asyncDispose]();
      return object;
    },
  });
  await clock.settle();
  expect(informer.hasSynced).toBe(false);
  expect(told).toEqual([]);
});

test('Reflector drops what came together with the event at which it was stopped', async () => {
  const { create, start, told, clock, faults } = await startWorld();
  const rewriteLine = (line: string) => `${line}\n${line.replaceAll('"one"', '"two"')}`;
  faults.plan = faultOn(isWatch, { rewriteLine });
  const informer: Informer<ConfigMap> = start({}, () => void informer[Symbol.asyncDispose]());
  await informer.synced();
  await create('one');
  await clock.settle();
  expect(told).toEqual(['one']);
});

test.each([403, 404])(
  'Reflector asks ever less often while it is refused with %i, logs it once, and heals',
  async (status) => {
    const { create, start, told, clock, faults } = await startWorld();
    await create('one');
    faults.plan = faultOn(isList, refusal(status));
    const warnings: string[] = [];
    const destination = { write: (line: string) => warnings.push(line) };
    const log = createLogger({ level: 'warn', destination, clock });
    start({ log });
    await clock.advance(3_600_000);
    const asked = faults.calls.length;
    // 0.05 a second would be 180.
    expect(asked).toBeLessThan(150);
    expect(warnings).toHaveLength(1);
    faults.plan = noFaults;
    await clock.advance(60_000);
    expect(told).toEqual(['one']);
    expect(faults.callsOf('reader').slice(asked)).toHaveLength(2);
  },
);

test('Reflector notices soon that a kind is there which was missing for seconds', async () => {
  const { create, start, told, clock, faults } = await startWorld();
  await create('one');
  faults.plan = faultOn(isList, refusal(404));
  start({});
  await clock.advance(4_000);
  faults.plan = noFaults;
  await clock.advance(5_000);
  expect(told).toEqual(['one']);
});
