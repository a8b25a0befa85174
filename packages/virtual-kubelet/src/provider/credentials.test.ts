import {
  type Client,
  findCondition,
  type ReplaceableCredentials,
  Secret,
  type Transport,
} from '@liqo/kube';
import { always, faultOn, isWatch, isWrite, ofCaller, refusal } from '@liqo/testkit/faults';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type OffloadingWorld,
  secretName,
  startRunningWorld,
  startWorld,
  tenantNamespace,
} from '../testing/offloading-world.ts';

let world: OffloadingWorld;
afterEach(() => world[Symbol.asyncDispose]());

const key = { namespace: tenantNamespace, name: secretName };

async function untilReady(status: 'False' | 'True', message = '') {
  await world.until(async () => {
    const ready = await world.readiness();
    expect(ready?.status).toBe(status);
    expect(ready?.message).toContain(message);
  });
}

async function readyOf(name: string) {
  return findCondition((await world.pod(name))?.status?.conditions, 'Ready');
}

interface Swap extends ReplaceableCredentials {
  transport: Transport;
}

/** A client in this process whose credentials can be replaced, as those of one over the network can. */
function swappable(client: Client): Client {
  return client.withTransport((transport) => {
    const swap: Swap = {
      transport,
      async replaceWith(others) {
        swap.transport = (others as Swap).transport;
        return true;
      },
    };
    return {
      host: transport.host,
      credentials: swap,
      send: (request, signal) => swap.transport.send(request, signal),
      upgrade: (request, signal) => swap.transport.upgrade(request, signal),
      [Symbol.asyncDispose]: async () => undefined,
    };
  });
}

describe('credentials', () => {
  test('may come late: the node says what it waits for, and goes on by itself', async () => {
    world = await startWorld();
    await world.home.admin.delete(Secret, key);
    world.startKubelet();
    await untilReady('False', `the Secret "${secretName}" with the key "kubeconfig" is not there`);
    await world.setKubeconfig('rome');
    await untilReady('True');
    await world.runPod('web');
  });

  test('that are broken are named, and mended by better ones', async () => {
    world = await startWorld();
    await world.setKubeconfig('nonsense');
    world.startKubelet();
    await untilReady('False', `"${secretName}" is of no use: it is not a kubeconfig`);
    await world.setKubeconfig('rome');
    await untilReady('True');
  });

  test.each([
    ['become nonsense', () => world.setKubeconfig('nonsense')],
    ['are removed', () => world.home.admin.delete(Secret, key)],
  ])('that %s do not end a connection that works', async (_, spoil) => {
    world = await startRunningWorld();
    await spoil();
    await world.pass(60_000);
    await world.runPod('web');
    expect((await world.readiness())?.status).toBe('True');
  });

  test('that are rotated are used from then on, and no pod notices', async () => {
    world = await startRunningWorld();
    await world.runPod('web');
    const before = [await world.pod('web'), await world.remotePod('web')];
    world.home.faults.calls.length = 0;
    world.away.faults.calls.length = 0;
    world.away.faults.plan = faultOn(({ path }) => path === '/livez', { answerTakesMs: 4_000 });
    await world.setKubeconfig('rome-renewed');
    await world.until(() => expect(world.away.faults.callsOf('rome-renewed')).not.toEqual([]));
    await world.pass(60_000);
    expect([await world.pod('web'), await world.remotePod('web')]).toEqual(before);
    const writes = world.home.faults.calls.filter(isWrite);
    expect(writes.filter(({ resource }) => !resource.startsWith('leases'))).toEqual([]);
    world.away.faults.calls.length = 0;
    await world.runPod('more');
    expect(world.away.faults.callsOf('rome')).toEqual([]);
  });

  test('that are rotated for the same place end no watch and list nothing anew', async () => {
    world = await startWorld();
    const connect = world.connect.bind(world);
    world.connect = async (text) => swappable(await connect(text));
    world.startKubelet();
    await untilReady('True');
    await world.runPod('web');
    await world.setKubeconfig('rome-renewed');
    await world.until(() => expect(world.away.faults.callsOf('rome-renewed')).not.toEqual([]));
    await world.runPod('more');
    const calls = world.away.faults.callsOf('rome-renewed');
    // The health check lists one object of each namespace.
    const lists = calls.filter(({ verb, path }) => verb === 'list' && !path.includes('limit=1'));
    expect([calls.filter(isWatch), lists]).toEqual([[], []]);
    expect(calls.filter(isWrite)).not.toEqual([]);
    expect((await world.readiness())?.status).toBe('True');
  });

  test.each([
    ['expired', 401],
    ['forbidden', 403],
  ])('that are %s make the node say so; new ones help without a restart', async (_, status) => {
    world = await startRunningWorld();
    const { metadata } = await world.runPod('web');
    const remote = await world.remotePod('web');
    world.away.faults.plan = ofCaller('rome', always(refusal(status)));
    await untilReady('False', `refused with ${status}`);
    expect(await readyOf('web')).toMatchObject({ status: 'False', reason: 'ProviderUnreachable' });
    await world.setKubeconfig('rome-renewed');
    await untilReady('True');
    await world.until(async () => expect((await readyOf('web'))?.status).toBe('True'));
    expect((await world.pod('web'))?.metadata.uid).toBe(metadata.uid);
    expect((await world.remotePod('web'))?.metadata.uid).toBe(remote?.metadata.uid);
  });
});
