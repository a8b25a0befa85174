import { labels } from '@liqo/api';
import { type Client, Pod } from '@liqo/kube';
import { type Fault, faultOn, isWatch, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type OffloadingWorld,
  startRunningWorld,
  startWorld,
} from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeAll(async () => {
  world = await startRunningWorld();
});
afterEach(() => {
  world.away.faults.plan = noFaults;
  world.provider.holdsPods = false;
  world.provider.holdsShadowPods = true;
  world.provider.rests = false;
});
afterAll(() => world[Symbol.asyncDispose]());

function notFound(kind: string, name: string): Fault {
  const status = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
  return { answer: { status: 404, body: JSON.stringify({ ...status, details: { kind, name } }) } };
}

const noAbsence: readonly [string, Fault][] = [
  ['401', refusal(401)],
  ['403', refusal(403)],
  ['429', refusal(429)],
  ['500', refusal(500)],
  ['503', refusal(503)],
  ['a refused connection', lostRequest('refuse')],
  ['a connection that breaks off', lostRequest('reset')],
  ['silence', lostRequest('stall')],
  ['a missing namespace', notFound('namespaces', 'shop-rome')],
  ['a kind that is not served', { answer: { status: 404, body: '404 page not found' } }],
];

async function deleteHere(name: string, gracePeriodSeconds = 30): Promise<void> {
  await world.home.admin.delete(Pod, { namespace: 'shop', name }, { gracePeriodSeconds });
}

async function isGone(name: string): Promise<void> {
  if (await world.pod(name)) throw new Error(`${name} is still there`);
}

describe('a pod that is deleted here', () => {
  test('is given the less time that a second deletion asks for, over there as well', async () => {
    await world.runPod('hurried', { terminationGracePeriodSeconds: 60 });
    world.provider.holdsPods = true;
    await deleteHere('hurried', 60);
    await world.until(async () => {
      expect((await world.shadowPod('hurried'))?.metadata.deletionTimestamp).toBeDefined();
    });
    await deleteHere('hurried', 5);
    await world.until(() => expect(world.provider.graces.get('hurried')).toBe(5));
    world.provider.holdsPods = false;
    await world.until(() => isGone('hurried'));
  });

  const kinds = ['pods', 'shadowpods.offloading.liqo.io'];
  test.each(
    kinds.flatMap((kind) => noAbsence.map(([what, fault]) => [what, kind, fault] as const)),
  )('is not released for %s in place of its %s', async (what, resource, fault) => {
    const name = `web-${kinds.indexOf(resource)}-${noAbsence.findIndex(([one]) => one === what)}`;
    await world.runPod(name);
    world.away.faults.plan = faultOn(
      (call) => call.resource === resource && call.verb === 'get',
      fault,
    );
    await deleteHere(name);
    await world.until(async () => expect(await world.remotePod(name)).toBeUndefined());
    await world.pass(20_000);
    expect(await world.pod(name)).toBeDefined();
    world.away.faults.plan = noFaults;
    await world.until(() => isGone(name));
  });

  test('is released only when its pod over there is gone, not just asked to go', async () => {
    await world.runPod('slow');
    world.provider.holdsPods = true;
    await deleteHere('slow');
    await world.until(async () => {
      expect((await world.shadowPod('slow'))?.metadata.deletionTimestamp).toBeDefined();
    });
    await world.pass(60_000);
    expect(await world.pod('slow')).toBeDefined();
    world.provider.holdsPods = false;
    await world.until(() => isGone('slow'));
  });

  test('is looked for over there after its shadow pod is known to be gone, not before', async () => {
    await world.runPod('racy');
    const asked =
      (resource: string) => (call: { resource: string; verb: string; name?: unknown }) =>
        call.resource === resource && call.verb === 'get' && call.name === 'racy';
    let answer = () => {};
    const holdHeaders = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const isShadowPod = asked('shadowpods.offloading.liqo.io');
    world.away.faults.calls.length = 0;
    world.away.faults.plan = faultOn(isShadowPod, { holdHeaders });
    await deleteHere('racy');
    await world.until(() => expect(world.away.faults.calls.some(isShadowPod)).toBe(true));
    await world.pass(1_000);
    expect(world.away.faults.calls.some(asked('pods'))).toBe(false);
    answer();
    await world.until(() => isGone('racy'));
    expect(world.away.faults.calls.some(asked('pods'))).toBe(true);
  });

  test('is released although a stranger over there has its name', async () => {
    const metadata = { namespace: 'shop-rome', name: 'twin' };
    const containers = [{ name: 'main', image: 'i' }];
    const stranger = await world.away.admin.create(Pod, { metadata, spec: { containers } });
    await world.createPod('twin');
    await world.pass(5_000);
    await deleteHere('twin');
    await world.until(() => isGone('twin'));
    expect((await world.remotePod('twin'))?.metadata).toEqual(stranger.metadata);
  });

  test('gets over there the time to end that it was given here', async () => {
    await world.runPod('hasty');
    world.provider.holdsPods = true;
    await deleteHere('hasty', 5);
    await world.until(() => expect(world.provider.graces.get('hasty')).toBe(5));
    world.provider.holdsPods = false;
    await world.until(() => isGone('hasty'));
  });

  test('ends at a provider that holds no ShadowPods, once its pod there has ended', async () => {
    world.provider.holdsShadowPods = false;
    await world.runPod('unheld');
    world.provider.holdsPods = true;
    await deleteHere('unheld', 5);
    await world.until(async () => expect(await world.shadowPod('unheld')).toBeUndefined());
    await world.pass(20_000);
    expect(await world.pod('unheld')).toBeDefined();
    await world.provider.finish('shop-rome', 'unheld', 'Failed');
    await world.until(async () => {
      const { containerStatuses: [main] = [] } = (await world.pod('unheld'))?.status ?? {};
      expect(main?.state?.terminated).toMatchObject({ exitCode: 1 });
    });
    world.provider.holdsPods = false;
    await world.until(() => isGone('unheld'));
    expect(await world.remotePod('unheld')).toBeUndefined();
  });

  test('ends although the provider holds its ShadowPod and nothing there acts any more', async () => {
    await world.runPod('stuck');
    world.provider.rests = true;
    await deleteHere('stuck');
    await world.until(async () => {
      expect((await world.shadowPod('stuck'))?.metadata.deletionTimestamp).toBeDefined();
    });
    await world.pass(20_000);
    expect(await world.shadowPod('stuck')).toBeDefined();
    await world.pass(20_000);
    expect(await world.shadowPod('stuck')).toBeUndefined();
    world.provider.rests = false;
    await world.until(() => isGone('stuck'));
  });

  test('by force leaves nothing at a provider where nothing acts any more', async () => {
    await world.runPod('forgotten');
    world.provider.rests = true;
    await deleteHere('forgotten', 0);
    await world.until(async () => {
      expect((await world.shadowPod('forgotten'))?.metadata.deletionTimestamp).toBeDefined();
    });
    await world.pass(40_000);
    expect(await world.shadowPod('forgotten')).toBeUndefined();
  });

  test('asks for no other time to end than its own without reason', async () => {
    await world.runPod('usual');
    await deleteHere('usual', 30);
    await world.until(() => isGone('usual'));
    expect(world.provider.graces.has('usual')).toBe(false);
  });

  test('by force leaves nothing over there', async () => {
    await world.runPod('forced');
    await deleteHere('forced', 0);
    await world.until(async () => {
      expect(await world.shadowPod('forced')).toBeUndefined();
      expect(await world.remotePod('forced')).toBeUndefined();
    });
  });
});

test('a pod that was released is left alone, though the cache still shows it', async () => {
  await using late = await startWorld();
  let behindMs = 0;
  late.home.faults.plan = faultOn((call) => isWatch(call) && call.resource === 'pods', {
    eventsTakeMs: () => behindMs,
  });
  late.startKubelet();
  const { metadata } = await late.runPod('web');
  late.provider.holdsPods = true;
  await late.home.admin.delete(Pod, metadata);
  await late.until(async () => {
    expect((await late.shadowPod('web'))?.metadata.deletionTimestamp).toBeDefined();
  });
  behindMs = 20_000;
  late.provider.holdsPods = false;
  await late.until(async () => expect(await late.pod('web')).toBeUndefined());
  await rattle(late.away.admin, 'web');
  await late.pass(500);
  const releases = late.home.faults.calls.filter(
    ({ verb, name }) => `${verb} ${name}` === 'delete web',
  );
  expect(releases).toHaveLength(1);
});

/** Something happens over there that the kubelet hears of. */
async function rattle(admin: Client, name: string): Promise<void> {
  const key = { namespace: 'shop-rome', name };
  const marks = {
    [labels.origin]: 'rome',
    [labels.destination]: 'milan',
    [labels.nodeName]: 'mynode',
  };
  const spec = { containers: [{ name: 'main', image: 'i' }] };
  await admin.create(Pod, { metadata: { ...key, labels: marks }, spec });
  await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
}
