import { ConfigMap } from '@liqo/kube';
import { createLogger } from '@liqo/runtime';
import { type ApiCall, faultOn, noFaults, refusal } from '@liqo/testkit/faults';
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

function attempts(): number {
  return world.away.faults.calls.filter(isOfConfigMaps).length;
}

async function untilThere(): Promise<void> {
  const key = { namespace: 'shop-rome', name: 'kube-root-ca.crt.rome' };
  await world.until(async () => {
    expect((await world.away.admin.get(ConfigMap, key))?.data).toEqual({ 'ca.crt': 'rome' });
  });
}

describe('the root CA of the consumer', () => {
  test('is in an offloaded namespace, for pods that call home', async () => {
    world.startKubelet();
    await untilThere();
  });

  test.each([401, 403])(
    'is brought there again and again, but seldom and quietly, while the answer is %i',
    async (code) => {
      const errors: string[] = [];
      const destination = { write: (line: string) => errors.push(line) };
      const log = createLogger({ level: 'error', clock: world.clock, destination });
      world.away.faults.plan = faultOn(isOfConfigMaps, refusal(code));
      await world.startWorkingKubelet({ log });
      await world.until(() => expect(attempts()).toBeGreaterThan(0));
      await world.pass(60_000);
      expect(attempts()).toBeGreaterThan(2);
      expect(attempts()).toBeLessThan(10);
      expect(errors).toEqual([]);
      world.away.faults.plan = noFaults;
      await world.pass(12_000);
      await untilThere();
    },
  );
});
