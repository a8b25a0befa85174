import { type Client, ConfigMap, isConflict, mergePatch, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { faultOn, linkFaults, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { done, type Outcome, requeueAfter } from './controller/outcome.ts';
import { ensureFinalizer, hasFinalizer, removeFinalizer, withFinalizer } from './finalizer.ts';

const key = { namespace: 'shop', name: 'web' };
const ours = 'liqo.io/ours';
const { signal } = new AbortController();

async function startWorld(finalizers: string[] = []) {
  const world = await startTestCluster({ namespaces: ['shop'] });
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, faults } = world;
  const client = world.clientOf('controller');
  const object = await client.create(ConfigMap, { metadata: { ...key, finalizers } });
  const stored = async () => (await admin.get(ConfigMap, key))?.metadata.finalizers;
  const setFinalizers = (list: string[]) =>
    admin.patch(ConfigMap, key, mergePatch({ metadata: { finalizers: list } }));
  return { client, admin, faults, object, stored, setFinalizers };
}

describe('ensureFinalizer()', () => {
  test('adds the finalizer once, beside those of others', async () => {
    const { client, object, stored } = await startWorld(['other/a']);
    const once = await ensureFinalizer(client, ConfigMap, object, ours);
    expect(await stored()).toEqual(['other/a', ours]);
    if (!once) expect.unreachable();
    expect(await ensureFinalizer(client, ConfigMap, once, ours)).toBe(once);
  });

  test('starts from the live object when the one at hand is old', async () => {
    const { client, object, stored, setFinalizers } = await startWorld(['other/a']);
    await setFinalizers(['other/b']);
    await ensureFinalizer(client, ConfigMap, object, ours);
    expect(await stored()).toEqual(['other/b', ours]);
  });

  test('gives undefined for what is gone, being deleted, or another object by now', async () => {
    const { client, object, setFinalizers } = await startWorld(['other/a']);
    await client.delete(ConfigMap, key);
    expect(await ensureFinalizer(client, ConfigMap, object, ours)).toBeUndefined();
    await setFinalizers([]);
    expect(await ensureFinalizer(client, ConfigMap, object, ours)).toBeUndefined();
    await client.create(ConfigMap, { metadata: key });
    expect(await ensureFinalizer(client, ConfigMap, object, ours)).toBeUndefined();
  });

  test('gives the conflict to the caller when it does not end', async () => {
    const { client, faults, object } = await startWorld();
    faults.plan = linkFaults.conflicting;
    const error = await rejection(ensureFinalizer(client, ConfigMap, object, ours));
    expect(isConflict(error)).toBe(true);
  });
});

describe('removeFinalizer()', () => {
  test.each([403, 500])('gives a refusal to the caller at once: %d', async (code) => {
    const { client, faults, object } = await startWorld([ours]);
    faults.plan = faultOn(({ verb }) => verb === 'patch', refusal(code));
    const error = await rejection(removeFinalizer(client, ConfigMap, object, ours));
    expect(error).toMatchObject({ code });
    expect(faults.calls.filter(({ verb }) => verb === 'patch')).toHaveLength(1);
  });

  test('removes ours and nothing else, also when the object at hand is old', async () => {
    const { client, object, stored, setFinalizers } = await startWorld(['other/a', ours]);
    await setFinalizers(['other/b', ours, 'other/c']);
    await removeFinalizer(client, ConfigMap, object, ours);
    expect(await stored()).toEqual(['other/b', 'other/c']);
  });

  test('is content when there is nothing to remove', async () => {
    const { client, object, setFinalizers } = await startWorld([ours]);
    await client.delete(ConfigMap, key);
    await setFinalizers([]);
    expect(await removeFinalizer(client, ConfigMap, object, ours)).toBeUndefined();
    const other = await client.create(ConfigMap, { metadata: { ...key, finalizers: [ours] } });
    expect(await removeFinalizer(client, ConfigMap, object, ours)).toBeUndefined();
    expect(await client.get(ConfigMap, key)).toEqual(other);
  });
});

describe('withFinalizer()', () => {
  function world(client: Client, outcomes: { apply?: Outcome; cleanup?: Outcome | Error } = {}) {
    const calls: string[] = [];
    return {
      calls,
      finalized: {
        client,
        kind: ConfigMap,
        name: ours,
        apply: async (object: Stored<ConfigMap>) => {
          calls.push(hasFinalizer(object, ours) ? 'apply' : 'apply without finalizer');
          return outcomes.apply ?? done;
        },
        cleanup: async () => {
          calls.push('cleanup');
          if (outcomes.cleanup instanceof Error) throw outcomes.cleanup;
          return outcomes.cleanup ?? done;
        },
      },
    };
  }

  test('puts the finalizer on before it applies', async () => {
    const { client, object, stored } = await startWorld();
    const later = requeueAfter(5, 'waiting');
    const { calls, finalized } = world(client, { apply: later });
    expect(await withFinalizer(finalized, object, signal)).toBe(later);
    expect(calls).toEqual(['apply']);
    expect(await stored()).toEqual([ours]);
  });

  test('cleans up what is being deleted, and lets it go when that is done', async () => {
    const { client, stored, admin } = await startWorld([ours]);
    const deleted = await client.delete(ConfigMap, key);
    if (!deleted) expect.unreachable();
    const { calls, finalized } = world(client);
    expect(await withFinalizer(finalized, deleted, signal)).toBe(done);
    expect(calls).toEqual(['cleanup']);
    expect(await stored()).toBeUndefined();
    expect(await admin.get(ConfigMap, key)).toBeUndefined();
  });

  test.each([requeueAfter(5, 'draining'), new Error('not yet')])(
    'keeps the finalizer while the cleanup is not done',
    async (cleanup) => {
      const { client, stored } = await startWorld([ours]);
      const deleted = await client.delete(ConfigMap, key);
      if (!deleted) expect.unreachable();
      const { finalized } = world(client, { cleanup });
      const outcome = await withFinalizer(finalized, deleted, signal).catch((error) => error);
      expect(outcome).toBe(cleanup);
      expect(await stored()).toEqual([ours]);
    },
  );

  test('does nothing for an object that is being deleted without our finalizer', async () => {
    const { client, object } = await startWorld(['other/a']);
    const deleted = await client.delete(ConfigMap, key);
    if (!deleted) expect.unreachable();
    const { calls, finalized } = world(client);
    expect(await withFinalizer(finalized, deleted, signal)).toBe(done);
    expect(await withFinalizer(finalized, object, signal)).toBe(done);
    expect(calls).toEqual([]);
  });
});
