import { labels } from '@liqo/api';
import { ConfigMap } from '@liqo/kube';
import { createLogger } from '@liqo/runtime';
import { type ApiCall, faultOn, isWrite, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OffloadingWorld, startWorld } from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startWorld();
  await world.home.admin.create(ConfigMap, {
    metadata: { namespace: 'shop', name: 'kube-root-ca.crt' },
    data: { 'ca.crt': 'rome' },
  });
});
afterEach(() => world[Symbol.asyncDispose]());

const isOfConfigMaps = ({ resource, namespace }: ApiCall) =>
  resource === 'configmaps' && namespace === 'shop-rome';

/** Copies are created, or applied, which is a patch. */
const isCopying = (call: ApiCall) => isOfConfigMaps(call) && isWrite(call);

function attempts(): number {
  return world.away.faults.calls.filter(isOfConfigMaps).length;
}

function writes(): number {
  return world.away.faults.calls.filter(isCopying).length;
}

const key = { namespace: 'shop-rome', name: 'kube-root-ca.crt.rome' };
const data = { 'ca.crt': 'rome' };

async function isThere(): Promise<void> {
  expect((await world.away.admin.get(ConfigMap, key))?.data).toEqual(data);
}

function untilThere(): Promise<void> {
  return world.until(isThere);
}

/** What goes to the log as an error. */
function startLog() {
  const errors: string[] = [];
  const destination = { write: (line: string) => errors.push(line) };
  const log = createLogger({ level: 'error', clock: world.clock, destination });
  return { log, errors };
}

describe('the root CA of the consumer', () => {
  test('is in an offloaded namespace, for pods that call home', async () => {
    world.startKubelet();
    await untilThere();
  });

  test('is brought there soon after the provider has failed to take it', async () => {
    world.away.faults.plan = faultOn(isCopying, refusal(500));
    await world.startWorkingKubelet();
    await world.until(() => expect(writes()).toBeGreaterThan(1));
    expect(await world.away.admin.get(ConfigMap, key)).toBeUndefined();
    world.away.faults.plan = noFaults;
    await world.pass(5_000);
    await isThere();
  });

  test('is there again for the first pod of a namespace that was made anew', async () => {
    await world.startWorkingKubelet();
    await untilThere();
    await world.away.admin.delete(ConfigMap, key);
    await world.runPod('first');
    await world.pass(1_000);
    await isThere();
  });

  test('may have been brought there by another virtual node a moment ago', async () => {
    const { log, errors } = startLog();
    const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };
    const metadata = { ...key, labels: marks };
    let meetings = 0;
    const before = async () => {
      meetings += 1;
      world.away.faults.plan = noFaults;
      await world.away.admin.create(ConfigMap, { metadata, data });
    };
    world.away.faults.plan = faultOn(isCopying, { before });
    await world.startWorkingKubelet({ log });
    await untilThere();
    await world.pass(1_000);
    expect(meetings).toBe(1);
    expect(errors).toEqual([]);
  });

  test.each([401, 403])(
    'is brought there again and again, but seldom and quietly, while the answer is %i',
    async (code) => {
      const { log, errors } = startLog();
      world.away.faults.plan = faultOn(isOfConfigMaps, refusal(code));
      await world.startWorkingKubelet({ log });
      await world.until(() => expect(attempts()).toBeGreaterThan(0));
      await world.pass(60_000);
      expect(attempts()).toBeGreaterThan(2);
      expect(attempts()).toBeLessThan(20);
      expect(errors).toEqual([]);
      world.away.faults.plan = noFaults;
      await world.pass(12_000);
      await untilThere();
    },
  );

  test('stays, quietly, while the consumer does not say whether it is gone', async () => {
    const { log, errors } = startLog();
    await world.startWorkingKubelet({ log });
    await untilThere();
    const isRead = ({ resource, verb }: ApiCall) => resource === 'configmaps' && verb === 'get';
    const reads = () => world.home.faults.calls.filter(isRead).length;
    world.home.faults.plan = faultOn(isRead, refusal(403));
    const before = reads();
    await world.home.admin.delete(ConfigMap, { namespace: 'shop', name: 'kube-root-ca.crt' });
    await world.pass(60_000);
    await isThere();
    expect(reads() - before).toBeGreaterThan(1);
    expect(reads() - before).toBeLessThan(10);
    expect(errors).toEqual([]);
    world.home.faults.plan = noFaults;
    await world.pass(12_000);
    expect(await world.away.admin.get(ConfigMap, key)).toBeUndefined();
  });
});
