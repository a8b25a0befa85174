import { ConfigMap, isConflict } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startQuietWorld } from '@liqo/testkit/cluster';
import { always, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeIfThere } from './remove-if-there.ts';

const key = { namespace: 'tenant', name: 'trace' };

async function startWorld() {
  const world = await startQuietWorld([key.namespace]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, faults, run } = world;
  const found = await admin.create(ConfigMap, { metadata: key });
  const remove = () => removeIfThere(client, ConfigMap, found, { signal: run.signal });
  return { admin, faults, remove, stored: () => admin.get(ConfigMap, key) };
}

describe('removeIfThere()', () => {
  test('removes, and is content when there is nothing to remove', async () => {
    const { remove, stored } = await startWorld();
    await remove();
    expect(await stored()).toBeUndefined();
    await remove();
  });

  test('does not remove another object that has the name by now', async () => {
    const { admin, remove, stored } = await startWorld();
    await admin.delete(ConfigMap, key);
    await admin.create(ConfigMap, { metadata: key });
    expect(await rejection(remove())).toSatisfy(isConflict);
    expect(await stored()).toBeDefined();
  });

  test.each([403, 409, 500])('says so when it may not remove: %d', async (code) => {
    const { faults, remove } = await startWorld();
    faults.plan = always(refusal(code));
    expect(await rejection(remove())).toMatchObject({ code });
  });
});
