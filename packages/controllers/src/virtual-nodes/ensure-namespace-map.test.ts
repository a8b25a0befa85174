import { labels, NamespaceMap, type VirtualNode } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import {
  tenantNamespace as namespace,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { ensureNamespaceMap } from './ensure-namespace-map.ts';

const key = { namespace, name: 'milan' };
const { signal } = new AbortController();

async function startWorld() {
  const world = await startQuietWorld([namespace], [NamespaceMap]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, cacheOf } = world;
  const virtualNode = virtualNodeCalled('mynode') as Stored<VirtualNode>;
  const ensure = async () => {
    const selection = { labelSelector: `${labels.replication}=true` };
    const maps = await cacheOf(NamespaceMap, { selection });
    await ensureNamespaceMap({ client, maps }, virtualNode, signal);
  };
  return { ...world, ensure, stored: () => admin.get(NamespaceMap, key) };
}

describe('ensureNamespaceMap()', () => {
  test('gives a map back its labels, and keeps what is in it', async () => {
    const { admin, ensure, stored } = await startWorld();
    await admin.create(NamespaceMap, {
      metadata: key,
      spec: { desiredMapping: { shop: 'shop-rome' } },
    });
    await ensure();
    expect(await stored()).toMatchObject({
      metadata: { labels: { [labels.replication]: 'true' } },
      spec: { desiredMapping: { shop: 'shop-rome' } },
    });
  });

  test.each([403, 500])('says so when it may not make one: %d', async (code) => {
    const { faults, ensure, stored } = await startWorld();
    faults.plan = faultOn(({ verb }) => verb === 'create', refusal(code));
    expect(await rejection(ensure())).toMatchObject({ code });
    expect(await stored()).toBeUndefined();
  });
});
