import { annotations, ShadowPod } from '@liqo/api';
import { mergePatch, Pod, parseTime, Secret } from '@liqo/kube';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
afterEach(() => world[Symbol.asyncDispose]());

const sources = [
  { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
  { serviceAccountToken: { path: 'vault', audience: 'vault', expirationSeconds: 7200 } },
];
const spec = {
  automountServiceAccountToken: false,
  volumes: [{ name: 'access', projected: { sources } }],
};

const consumerApiServer = { host: 'kubernetes.default', port: '443' };

async function start(): Promise<void> {
  world = await startRunningWorld({ consumerApiServer });
}

function secret(name = 'web') {
  return world.away.admin.get(Secret, { namespace: 'shop-rome', name: `${name}-token` });
}

function claimsIn({ data = {} }: Secret): Record<string, unknown>[] {
  return Object.values(data).map((encoded) => {
    const [, claims = ''] = Buffer.from(encoded, 'base64').toString().split('.');
    return JSON.parse(Buffer.from(claims, 'base64url').toString());
  });
}

function tokenRequests(): number {
  const { calls } = world.home.faults;
  return calls.filter(({ resource }) => resource === 'serviceaccounts/token').length;
}

async function untilGone(name = 'web'): Promise<void> {
  await world.until(async () => expect(await secret(name)).toBeUndefined());
}

describe('tokens of an offloaded pod', () => {
  test('are asked for here, bound to the pod here, and stored over there', async () => {
    await start();
    const { metadata } = await world.runPod('web', spec);
    const stored = await secret();
    expect(stored?.metadata.annotations?.[annotations.serviceAccountForPodUid]).toBe(metadata.uid);
    const [token, vault] = claimsIn(stored ?? {});
    const bound = { namespace: 'shop', pod: { name: 'web', uid: metadata.uid } };
    expect(token).toMatchObject({ 'kubernetes.io': bound });
    expect(vault).toMatchObject({ 'kubernetes.io': bound, aud: ['vault'] });
  });

  test('are there before the pod may start', async () => {
    await start();
    await world.runPod('web', spec);
    const written = world.away.faults.calls.filter(isWrite).map(({ resource }) => resource);
    const [first, second] = written.filter((one) => /secrets|shadowpods/.test(one));
    expect([first, second]).toEqual(['secrets', 'shadowpods.offloading.liqo.io']);
  });

  test('belong to the shadow pod of their pod, also after they are renewed', async () => {
    await start();
    await world.runPod('web', spec);
    const owners = async () => (await secret())?.metadata.ownerReferences;
    const owner = {
      kind: 'ShadowPod',
      name: 'web',
      uid: (await world.shadowPod('web'))?.metadata.uid,
    };
    await world.until(async () => expect(await owners()).toMatchObject([owner]));
    await world.clock.advance(3_000_000);
    expect(tokenRequests()).toBe(4);
    expect(await owners()).toMatchObject([owner]);
  });

  test('follow when the shadow pod is made anew', async () => {
    await start();
    await world.runPod('web', spec);
    const before = await world.shadowPod('web');
    await world.away.admin.delete(ShadowPod, { namespace: 'shop-rome', name: 'web' });
    await world.away.admin.delete(Secret, { namespace: 'shop-rome', name: 'web-token' });
    await world.until(async () => {
      const after = await world.shadowPod('web');
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
      const [owner] = (await secret())?.metadata.ownerReferences ?? [];
      expect(owner?.uid).toBe(after?.metadata.uid);
    });
  });

  test('are given to their shadow pod once, also by a kubelet that starts again', async () => {
    await start();
    await world.runPod('web', spec);
    const given = () =>
      world.away.faults.calls.filter(
        ({ verb, resource }) => verb === 'patch' && resource === 'secrets',
      );
    await world.until(() => expect(given()).toHaveLength(1));
    await world.stop(world.kubelet);
    await world.startWorkingKubelet({ consumerApiServer });
    await world.pass(30_000);
    expect(given()).toHaveLength(1);
  });

  test('that are still there are given to the shadow pod that was made anew', async () => {
    await start();
    await world.runPod('web', spec);
    const owner = async () => (await secret())?.metadata.ownerReferences?.map(({ uid }) => uid);
    await world.until(async () => expect(await owner()).toBeDefined());
    const [before, tokens] = [await owner(), await secret()];
    await world.away.admin.delete(ShadowPod, { namespace: 'shop-rome', name: 'web' });
    await world.until(async () => {
      expect(await owner()).not.toEqual(before);
      expect(await owner()).toEqual([(await world.shadowPod('web'))?.metadata.uid]);
    });
    expect((await secret())?.data).toEqual(tokens?.data);
  });

  test('are renewed when four fifths of their life are over, not earlier', async () => {
    await start();
    await world.runPod('web', spec);
    const before = await secret();
    const expiry = before?.metadata.annotations?.[annotations.serviceAccountExpiration] ?? '';
    const refreshInMs = parseTime(expiry) - 720_000 - world.clock.now();
    await world.clock.advance(refreshInMs - 10_000);
    expect(await secret()).toEqual(before);
    expect(tokenRequests()).toBe(2);
    await world.clock.advance(60_000);
    const after = await secret();
    expect(tokenRequests()).toBe(4);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.data).not.toEqual(before?.data);
  });

  test.each(['never', '9999-12-31T23:59:59Z'])(
    'are renewed in time and no more often at a provider that says they expire "%s"',
    async (expiration) => {
      await start();
      await world.runPod('web', spec);
      for (let renewals = 1; renewals <= 3; renewals++) {
        await world.until(() => expect(tokenRequests()).toBe(2 * renewals));
        const notes = { [annotations.serviceAccountExpiration]: expiration };
        const key = { namespace: 'shop-rome', name: 'web-token' };
        await world.away.admin.patch(Secret, key, mergePatch({ metadata: { annotations: notes } }));
        await world.clock.advance(60_000);
        expect(tokenRequests()).toBe(2 * renewals);
        await world.clock.advance(2_860_000);
      }
    },
  );

  test('are not asked for anew by a kubelet that starts again', async () => {
    await start();
    await world.runPod('web', spec);
    const before = await secret();
    await world.stop(world.kubelet);
    await world.startWorkingKubelet({ consumerApiServer });
    await world.pass(30_000);
    expect(tokenRequests()).toBe(2);
    expect(await secret()).toEqual(before);
  });

  test.each([
    ['gracefully', 30],
    ['by force', 0],
  ])('go with the pod that is deleted %s', async (_, gracePeriodSeconds) => {
    await start();
    await world.runPod('web', spec);
    const key = { namespace: 'shop', name: 'web' };
    await world.home.admin.delete(Pod, key, { gracePeriodSeconds });
    await untilGone();
  });

  test('of a predecessor are not given to its successor', async () => {
    await start();
    await world.runPod('web', spec);
    const key = { namespace: 'shop', name: 'web' };
    await world.home.admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    const { metadata } = await world.createPod('web', spec);
    await world.until(async () => {
      const notes = (await secret())?.metadata.annotations;
      expect(notes?.[annotations.serviceAccountForPodUid]).toBe(metadata.uid);
      expect((await world.pod('web'))?.status?.phase).toBe('Running');
    });
  });

  test('are not issued unless pods may use the API server here', async () => {
    world = await startRunningWorld();
    await world.runPod('web', spec);
    expect(await secret()).toBeUndefined();
    expect(tokenRequests()).toBe(0);
  });
});
