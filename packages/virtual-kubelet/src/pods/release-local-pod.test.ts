import { isConflict, Pod } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { always, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { releaseLocalPod } from './release-local-pod.ts';

const key = { namespace: 'shop', name: 'web' };
const { signal } = new AbortController();

async function startWorld() {
  const home = await startTestCluster({ namespaces: [key.namespace] });
  onTestFinished(() => home[Symbol.asyncDispose]());
  const { admin, faults } = home;
  const spec = { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] };
  const create = () => admin.create(Pod, { metadata: key, spec });
  const local = await create();
  const release = () => releaseLocalPod(home.clientOf('kubelet'), local, signal);
  return { admin, faults, create, release, pod: () => admin.get(Pod, key) };
}

describe('releaseLocalPod()', () => {
  test('ends the wait for a pod, and is content when somebody else has', async () => {
    const { release, pod } = await startWorld();
    await release();
    expect(await pod()).toBeUndefined();
    await release();
  });

  test('does not remove another pod that has the name by now', async () => {
    const { admin, create, release, pod } = await startWorld();
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await create();
    expect(await rejection(release())).toSatisfy(isConflict);
    expect(await pod()).toBeDefined();
  });

  test.each([403, 409, 500])('says so when it is refused: %d', async (code) => {
    const { faults, release } = await startWorld();
    faults.plan = always(refusal(code));
    expect(await rejection(release())).toMatchObject({ code });
  });
});
