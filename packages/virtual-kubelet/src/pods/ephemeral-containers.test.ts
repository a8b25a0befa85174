import { annotations } from '@liqo/api';
import { mergePatch, Pod, strategicMergePatch } from '@liqo/kube';
import { faultOn, ofCaller, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
  await world.runPod('web');
});
afterEach(() => world[Symbol.asyncDispose]());

const key = { namespace: 'shop', name: 'web' };
const shell = { name: 'shell', image: 'busybox' };

async function debug(): Promise<void> {
  const patch = strategicMergePatch({ spec: { ephemeralContainers: [shell] } });
  await world.home.admin.patch(Pod, key, patch, { subresource: 'ephemeralcontainers' });
}

const sent = async () => (await world.shadowPod('web'))?.spec.pod?.ephemeralContainers;

async function shows(waiting: object): Promise<void> {
  await world.until(async () => {
    const [status] = (await world.pod('web'))?.status?.ephemeralContainerStatuses ?? [];
    expect(status).toMatchObject({ name: 'shell', state: { waiting } });
  });
}

describe('an ephemeral container of an offloaded pod', () => {
  test('is sent to the provider with the ShadowPod, once', async () => {
    await debug();
    await world.until(async () => expect(await sent()).toMatchObject([shell]));
    world.away.faults.calls.length = 0;
    await world.pass(60_000);
    const patches = world.away.faults.callsOf('rome').filter(({ verb }) => verb === 'patch');
    expect(patches).toEqual([]);
  });

  test('waits with a message where the Liqo of the provider does not change running pods', async () => {
    world.provider.rests = true;
    const bare = mergePatch({ metadata: { annotations: { [annotations.appliedMetadata]: null } } });
    await world.away.admin.patch(Pod, { ...key, namespace: 'shop-rome' }, bare);
    await debug();
    const reason = 'EphemeralContainersUnsupported';
    const message = expect.stringContaining('the Liqo of provider "milan" does not pass them on');
    await shows({ reason, message });
    expect(await sent()).toBeUndefined();
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'Warning', reason, note: message }),
    );
  });

  test('waits with the answer of a provider that denies it, and is sent once that allows it', async () => {
    const isSending = ({ verb, resource }: { verb: string; resource: string }) =>
      verb === 'patch' && resource.startsWith('shadowpods');
    world.away.faults.plan = ofCaller('rome', faultOn(isSending, refusal(403)));
    await debug();
    await shows({
      reason: 'EphemeralContainersDenied',
      message: expect.stringContaining('the provider "milan" denies it: '),
    });
    expect((await world.pod('web'))?.status?.phase).toBe('Running');
    world.away.faults.plan = () => undefined;
    await world.until(async () => expect(await sent()).toMatchObject([shell]));
  });
});
