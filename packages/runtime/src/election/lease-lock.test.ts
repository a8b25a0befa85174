import { Lease, mergePatch } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { faultOn, lostAnswer, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LeaseLock } from './lease-lock.ts';

const key = { namespace: 'shop', name: 'lock' };
const isUpdate = ({ verb }: { verb: string }) => verb === 'update';

async function startWorld() {
  const world = await startTestCluster({ namespaces: [key.namespace] });
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, clock, faults } = world;
  const times = { leaseDurationMs: 15_000, attemptTimeoutMs: 5_000 };
  return {
    ...world,
    faults,
    lockOf: (identity: string) =>
      new LeaseLock({ client: world.clientOf(identity), key, identity, clock, ...times }),
    holder: async () => (await admin.get(Lease, key))?.spec?.holderIdentity,
    /** Not a candidate: its version is another one from then on. */
    touch: () => admin.patch(Lease, key, mergePatch({ metadata: { labels: { seen: 'yes' } } })),
  };
}

describe('LeaseLock.release()', () => {
  test('gives up what is ours', async () => {
    const { lockOf, holder } = await startWorld();
    const ours = lockOf('ours');
    await ours.claim();
    expect(await holder()).toBe('ours');
    await ours.release();
    expect(await holder()).toBe('');
    expect(ours.heldFromMs).toBeUndefined();
  });

  test('gives it up although somebody has touched it meanwhile', async () => {
    const { lockOf, holder, touch } = await startWorld();
    const ours = lockOf('ours');
    await ours.claim();
    await touch();
    await ours.release();
    expect(await holder()).toBe('');
  });

  test('gives it up although the answer to the last renewal was lost', async () => {
    const { lockOf, holder, faults } = await startWorld();
    const ours = lockOf('ours');
    await ours.claim();
    faults.plan = (call) => (isUpdate(call) ? lostAnswer('reset') : refusal(500));
    await rejection(ours.claim());
    faults.plan = noFaults;
    await ours.release();
    expect(await holder()).toBe('');
    expect(faults.calls.filter(isUpdate)).toHaveLength(2);
  });

  test.each(['request', 'answer'])('gives it up although the %s is lost at first', async (lost) => {
    const { lockOf, holder, faults } = await startWorld();
    const ours = lockOf('ours');
    await ours.claim();
    const fault = lost === 'request' ? lostRequest('reset') : lostAnswer('reset');
    faults.plan = (call) => (call.attempt === 1 ? fault : undefined);
    await ours.release();
    expect(await holder()).toBe('');
  });

  test('leaves the lease of another candidate alone', async () => {
    const { lockOf, holder } = await startWorld();
    const [ours, theirs] = [lockOf('ours'), lockOf('theirs')];
    await theirs.claim();
    await ours.claim();
    await ours.release();
    expect(await holder()).toBe('theirs');
  });

  test('leaves alone what another candidate has taken since', async () => {
    const { lockOf, holder, clock } = await startWorld();
    const [ours, theirs] = [lockOf('ours'), lockOf('theirs')];
    await ours.claim();
    await theirs.claim();
    await clock.advance(20_000);
    await theirs.claim();
    await ours.release();
    expect(await holder()).toBe('theirs');
  });

  test('says so when it is refused, and asks once', async () => {
    const { lockOf, faults } = await startWorld();
    const ours = lockOf('ours');
    await ours.claim();
    faults.plan = faultOn(isUpdate, refusal(403));
    faults.calls.length = 0;
    expect(await rejection(ours.release())).toMatchObject({ code: 403 });
    expect(faults.calls).toHaveLength(1);
  });
});
