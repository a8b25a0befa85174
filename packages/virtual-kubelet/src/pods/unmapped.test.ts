import { labels, NamespaceMap } from '@liqo/api';
import { mergePatch, Pod } from '@liqo/kube';
import { faultOn, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld, tenantNamespace } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const mapKey = { namespace: tenantNamespace, name: 'milan' };

async function untilStatus(name: string, status: object): Promise<void> {
  await world.until(async () => expect((await world.pod(name))?.status).toMatchObject(status));
}

async function stillRuns(name: string): Promise<void> {
  await world.pass(60_000);
  expect((await world.pod(name))?.status?.phase).toBe('Running');
  expect(await world.remotePod(name)).toBeDefined();
}

describe('a pod in a namespace that is not offloaded', () => {
  test('waits, says so, and starts when the namespace is offloaded', async () => {
    await world.unmap('shop');
    await world.createPod('web');
    await untilStatus('web', { phase: 'Pending', reason: 'OffloadingBackOff' });
    expect(world.events.map(({ reason }) => reason)).toContain('ReflectionDisabled');
    await world.map({ shop: 'shop-rome' });
    await untilStatus('web', { phase: 'Running' });
    expect((await world.pod('web'))?.status?.reason).toBeUndefined();
  });

  test('says why the provider does not take the namespace, and starts when it does', async () => {
    const refused = {
      remoteNamespace: 'shop-rome',
      phase: 'CreationLoopBackOff',
      reason: 'NamespaceTaken',
      message: 'somebody else has that name',
    };
    const status = { currentMapping: { shop: refused } };
    const subresource = 'status' as const;
    await world.home.admin.patch(NamespaceMap, mapKey, mergePatch({ status }), { subresource });
    await world.createPod('web');
    await untilStatus('web', {
      phase: 'Pending',
      reason: 'OffloadingBackOff',
      message: expect.stringContaining('somebody else has that name'),
    });
    await world.map({ shop: 'shop-rome' });
    await untilStatus('web', { phase: 'Running' });
  });

  test('waits while there are two maps, of which nobody knows which counts', async () => {
    const marks = { [labels.replicationDestination]: 'milan' };
    const key = { namespace: tenantNamespace, name: 'another' };
    await world.home.admin.create(NamespaceMap, { metadata: { ...key, labels: marks }, spec: {} });
    await world.pass(1_000);
    await world.createPod('web');
    await world.pass(10_000);
    expect(await world.shadowPod('web')).toBeUndefined();
    await world.home.admin.delete(NamespaceMap, key);
    await world.until(async () => expect((await world.pod('web'))?.status?.phase).toBe('Running'));
  });

  test('is released at once when it is deleted: it was never over there', async () => {
    await world.unmap('shop');
    await world.createPod('web');
    await untilStatus('web', { reason: 'OffloadingBackOff' });
    await world.home.admin.delete(Pod, { namespace: 'shop', name: 'web' });
    await world.until(async () => expect(await world.pod('web')).toBeUndefined());
  });

  test('is aborted if it ran and the map says that the namespace is gone over there', async () => {
    await world.runPod('web');
    await world.unmap('shop');
    await untilStatus('web', { phase: 'Failed', reason: 'OffloadingAborted' });
  });
});

describe('a pod that runs over there is not aborted', () => {
  test('by a kubelet that starts and cannot read the map', async () => {
    await world.runPod('web');
    await world.stop(world.kubelet);
    world.home.faults.plan = faultOn(
      ({ resource }) => resource.startsWith('namespacemaps'),
      refusal(403),
    );
    await world.startWorkingKubelet();
    await stillRuns('web');
  });

  test('by a kubelet that starts and is told the map late', async () => {
    await world.runPod('web');
    await world.stop(world.kubelet);
    world.home.faults.plan = faultOn(({ resource }) => resource.startsWith('namespacemaps'), {
      answerTakesMs: 20_000,
    });
    await world.startWorkingKubelet();
    await stillRuns('web');
    world.home.faults.plan = noFaults;
  });

  test.each([
    ['cannot be read', refusal(503)],
    ['is not answered for', lostRequest('stall')],
  ])('because of a map that %s once more', async (_, fault) => {
    await world.runPod('web');
    world.home.faults.plan = faultOn(
      ({ resource, verb }) => resource.startsWith('namespacemaps') && verb === 'list',
      fault,
    );
    await world.unmap('shop');
    await stillRuns('web');
  });

  test('because the map itself is gone', async () => {
    await world.runPod('web');
    await world.home.admin.delete(NamespaceMap, mapKey);
    await stillRuns('web');
    await world.home.admin.delete(Pod, { namespace: 'shop', name: 'web' });
    await world.pass(30_000);
    expect(await world.pod('web')).toBeDefined();
    await world.map({ shop: 'shop-rome' });
    await world.until(async () => expect(await world.pod('web')).toBeUndefined());
    expect(await world.remotePod('web')).toBeUndefined();
  });

  test('because somebody took our mark from it', async () => {
    await world.runPod('web');
    const patch = mergePatch({ metadata: { labels: { [labels.shadowPod]: null } } });
    await world.home.admin.patch(Pod, { namespace: 'shop', name: 'web' }, patch);
    await world.home.admin.delete(NamespaceMap, mapKey);
    await stillRuns('web');
  });

  test('because there are two maps, of which nobody knows which counts', async () => {
    await world.runPod('web');
    const marks = { [labels.replicationDestination]: 'milan' };
    const metadata = { namespace: tenantNamespace, name: 'another', labels: marks };
    await world.home.admin.create(NamespaceMap, { metadata, spec: {} });
    await stillRuns('web');
  });

  test('because the provider has begun to remove the namespace', async () => {
    await world.runPod('web');
    const status = { currentMapping: { shop: { phase: 'Terminating' } } };
    const subresource = 'status' as const;
    await world.home.admin.patch(NamespaceMap, mapKey, mergePatch({ status }), { subresource });
    await stillRuns('web');
  });
});
