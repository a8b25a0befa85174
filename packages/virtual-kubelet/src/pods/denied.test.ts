import { ShadowPod } from '@liqo/api';
import { findCondition, mergePatch, Pod } from '@liqo/kube';
import { type ApiCall, type Fault, faultOn, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OffloadingWorld, startRunningWorld } from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const resource = 'shadowpods.offloading.liqo.io';
const isCreate = (call: ApiCall) => call.resource === resource && call.verb === 'create';
const isUpdate = (call: ApiCall) => call.resource === resource && call.verb === 'update';

const quota = 'shadowpods "web" is forbidden: exceeded quota: tenant, requested: cpu=2, limited: 1';

/** What an API server answers that does not take what it is given. */
function denial(code: number, reason: string, message: string): Fault {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
  return { answer: { status: code, body: JSON.stringify(body) } };
}

async function acceptedCondition(name = 'web') {
  return findCondition((await world.pod(name))?.status?.conditions, 'offloading.liqo.io/Accepted');
}

function attempts(which: (call: ApiCall) => boolean): number {
  return world.away.faults.callsOf('rome').filter(which).length;
}

describe('a pod whose ShadowPod the provider does not let be created', () => {
  const webhook = 'admission webhook "shadowpod.validate.liqo.io" denied the request: no quota';

  test.each([
    ['RBAC or a quota', 403, 'Forbidden', quota],
    ['validation', 422, 'Invalid', 'ShadowPod "web" is invalid: spec.pod: Required value'],
    ['a webhook', 400, 'BadRequest', webhook],
    ['a webhook with a code of its own', 409, 'Conflict', webhook],
    ['a webhook that fails', 500, 'InternalError', webhook],
  ])('says why when it is denied by %s, and starts once it is accepted', async (...facts) => {
    const [, code, reason, message] = facts;
    world.away.faults.plan = faultOn(isCreate, denial(code, reason, message));
    await world.createPod('web');
    await world.until(async () => {
      expect(await acceptedCondition()).toMatchObject({
        status: 'False',
        reason: 'ShadowPodDenied',
        message: `Cannot offload pod "web": provider "milan" denies its ShadowPod: ${message}`,
      });
    });
    const { status } = (await world.pod('web')) ?? {};
    expect(status).toMatchObject({ phase: 'Pending', reason: 'ShadowPodDenied' });
    expect(world.events).toContainEqual(
      expect.objectContaining({
        type: 'Warning',
        reason: 'ShadowPodDenied',
        note: expect.stringContaining(message),
      }),
    );
    world.away.faults.plan = noFaults;
    await world.pass(31_000);
    await world.until(async () => expect((await world.pod('web'))?.status?.phase).toBe('Running'));
    expect(await acceptedCondition()).toBeUndefined();
    expect((await world.pod('web'))?.status).not.toHaveProperty('reason');
  });

  test('is tried again with growing waits, at most every 30 seconds', async () => {
    world.away.faults.plan = faultOn(isCreate, denial(403, 'Forbidden', quota));
    await world.createPod('web');
    await world.until(() => expect(attempts(isCreate)).toBe(1));
    await world.pass(60_000);
    expect(attempts(isCreate)).toBeGreaterThanOrEqual(5);
    expect(attempts(isCreate)).toBeLessThanOrEqual(8);
    world.away.faults.calls.length = 0;
    await world.pass(300_000);
    expect(attempts(isCreate)).toBeGreaterThanOrEqual(10);
    expect(attempts(isCreate)).toBeLessThanOrEqual(13);
  });

  test('is tried at once when it is replaced by one with another content', async () => {
    world.away.faults.plan = faultOn(isCreate, denial(403, 'Forbidden', quota));
    await world.createPod('web');
    await world.pass(40_000);
    world.away.faults.plan = noFaults;
    await world.home.admin.delete(Pod, { namespace: 'shop', name: 'web' });
    await world.until(async () => expect(await world.pod('web')).toBeUndefined());
    await world.runPod('web', { containers: [{ name: 'main', image: 'other' }] });
  });

  test('lets others start meanwhile, however many are denied', async () => {
    const isDenied = (call: ApiCall) => isCreate(call) && String(call.body).includes('greedy');
    world.away.faults.plan = faultOn(isDenied, denial(403, 'Forbidden', quota));
    for (let number = 1; number <= 20; number++) await world.createPod(`greedy-${number}`);
    await world.until(() => expect(attempts(isDenied)).toBeGreaterThanOrEqual(20));
    const before = world.clock.now();
    await world.runPod('web');
    expect(world.clock.now() - before).toBeLessThan(2_000);
  });

  test('is deleted like any other', async () => {
    world.away.faults.plan = faultOn(isCreate, denial(403, 'Forbidden', quota));
    await world.createPod('web');
    await world.until(async () => expect(await acceptedCondition()).toBeDefined());
    await world.home.admin.delete(Pod, { namespace: 'shop', name: 'web' });
    await world.until(async () => expect(await world.pod('web')).toBeUndefined());
  });

  test('is not ready any more if it ran before', async () => {
    await world.runPod('web');
    world.away.faults.plan = faultOn(isCreate, denial(403, 'Forbidden', quota));
    const key = { namespace: 'shop-rome', name: 'web' };
    await world.away.admin.delete(ShadowPod, key);
    await world.until(async () => {
      expect(await acceptedCondition()).toMatchObject({ reason: 'ShadowPodDenied' });
      const { status } = (await world.pod('web')) ?? {};
      expect(findCondition(status?.conditions, 'Ready')?.status).toBe('False');
    });
    world.away.faults.plan = noFaults;
    await world.pass(31_000);
    await world.until(async () => {
      const { status } = (await world.pod('web')) ?? {};
      expect(findCondition(status?.conditions, 'Ready')?.status).toBe('True');
      expect(await acceptedCondition()).toBeUndefined();
    });
  });
});

describe('a pod whose ShadowPod the provider does not let be updated', () => {
  const webhook = 'admission webhook "shadowpod.validate.liqo.io" denied the request: spec changed';
  const denied = denial(403, 'Forbidden', webhook);

  async function relabel(tier: string): Promise<void> {
    const patch = mergePatch({ metadata: { labels: { tier } } });
    await world.home.admin.patch(Pod, { namespace: 'shop', name: 'web' }, patch);
  }

  async function isReady(): Promise<string | undefined> {
    return findCondition((await world.pod('web'))?.status?.conditions, 'Ready')?.status;
  }

  /** What a node of the provider says. */
  async function setReady(status: 'False' | 'True'): Promise<void> {
    const conditions = [{ type: 'Ready', status }];
    const key = { namespace: 'shop-rome', name: 'web' };
    const patch = mergePatch({ status: { conditions } });
    await world.away.admin.patch(Pod, key, patch, { subresource: 'status' });
  }

  test('says why, until the update is accepted', async () => {
    await world.runPod('web');
    world.away.faults.plan = faultOn(isUpdate, denied);
    await relabel('front');
    await world.until(async () => {
      expect(await acceptedCondition()).toMatchObject({
        status: 'False',
        reason: 'ShadowPodUpdateDenied',
        message: expect.stringContaining(webhook),
      });
    });
    expect((await world.pod('web'))?.status?.phase).toBe('Running');
    expect((await world.pod('web'))?.status).not.toHaveProperty('reason');
    expect(world.events).toContainEqual(
      expect.objectContaining({ reason: 'ShadowPodUpdateDenied' }),
    );
    world.away.faults.plan = noFaults;
    await world.until(async () => expect(await acceptedCondition()).toBeUndefined());
    expect((await world.shadowPod('web'))?.metadata.labels).toMatchObject({ tier: 'front' });
  });

  test('has no problem any more when the change is taken back', async () => {
    await world.runPod('web');
    world.away.faults.plan = faultOn(isUpdate, denied);
    await relabel('front');
    await world.until(async () => expect(await acceptedCondition()).toBeDefined());
    const patch = mergePatch({ metadata: { labels: { tier: null } } });
    await world.home.admin.patch(Pod, { namespace: 'shop', name: 'web' }, patch);
    await world.until(async () => expect(await acceptedCondition()).toBeUndefined());
  });

  test.each([
    ['denied', denied],
    ['answered with a failure', refusal(500)],
    ['answered with a conflict', refusal(409)],
  ])('shows the status of its pod while the update is %s', async (_, fault) => {
    await world.runPod('web');
    world.away.faults.plan = faultOn(isUpdate, fault);
    await relabel('front');
    await world.until(() => expect(attempts(isUpdate)).toBeGreaterThan(0));
    await setReady('False');
    await world.until(async () => expect(await isReady()).toBe('False'));
    await setReady('True');
    await world.until(async () => expect(await isReady()).toBe('True'));
  });

  test('is tried again with growing waits, whatever else happens to the pod', async () => {
    await world.runPod('web');
    world.away.faults.plan = faultOn(isUpdate, denied);
    await relabel('front');
    await world.until(() => expect(attempts(isUpdate)).toBe(1));
    for (let round = 0; round < 30; round++) {
      await setReady(round % 2 === 0 ? 'False' : 'True');
      await world.pass(2_000);
    }
    expect(attempts(isUpdate)).toBeLessThanOrEqual(8);
    await world.pass(600_000);
    world.away.faults.calls.length = 0;
    await world.pass(1_500_000);
    expect(attempts(isUpdate)).toBeGreaterThanOrEqual(4);
    expect(attempts(isUpdate)).toBeLessThanOrEqual(7);
  });
});
