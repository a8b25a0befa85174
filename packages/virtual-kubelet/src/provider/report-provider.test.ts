import { VirtualNode } from '@liqo/api';
import { findCondition } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { always, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import type { Contact } from './provider-health.ts';
import { reportProvider } from './report-provider.ts';

const key = { namespace: 'shop', name: 'mynode' };

async function startWorld() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, context, cacheOf, run } = world;
  await admin.create(VirtualNode, { metadata: key, spec: { clusterID: 'milan' } });
  return {
    ...world,
    report: async (contact: Contact) => {
      const virtualNodes = await cacheOf(VirtualNode);
      const virtualNode = virtualNodes.get(key);
      await reportProvider(
        context,
        { contact, trouble: undefined, virtualNode, virtualNodes },
        run,
      );
    },
    virtualNode: () => admin.get(VirtualNode, key),
  };
}

describe('reportProvider()', () => {
  test('tells what it wrote, so that nobody acts before the cache shows it', async () => {
    const { report, virtualNode, written } = await startWorld();
    await report('there');
    const said = await virtualNode();
    expect(findCondition(said?.status?.conditions, 'Provider')).toBeDefined();
    expect(written).toEqual([said]);
    await report('there');
    expect(written).toHaveLength(1);
  });

  test('says nothing as long as nothing is known', async () => {
    const { report, virtualNode } = await startWorld();
    await report('unknown');
    expect((await virtualNode())?.status).toBeUndefined();
  });

  test.each([403, 409, 500])('says so when it is refused: %d', async (code) => {
    const { faults, report } = await startWorld();
    faults.plan = always(refusal(code));
    expect(await rejection(report('there'))).toMatchObject({ code });
  });

  test('goes on where the definition is an older one', async () => {
    const { faults, report, written } = await startWorld();
    faults.plan = always(refusal(422));
    await report('there');
    expect(written).toEqual([]);
  });
});
