import { ForeignCluster, labels, labelValues, VirtualNode } from '@liqo/api';
import { isConflict, mergePatch, Node, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { NodeReconciler } from './reconcile-node.ts';

const key = { namespace: 'shop', name: 'mynode' };
const taint = { key: 'team', value: 'blue', effect: 'NoSchedule' } as const;

async function startWorld() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, context, cacheOf, run } = world;
  await admin.create(VirtualNode, {
    metadata: { ...key, finalizers: ['test/held'] },
    spec: { clusterID: 'milan', taints: [taint] },
  });
  return {
    ...world,
    lookAtVirtualNode: async () => (await cacheOf(VirtualNode)).get(key),
    /** `seen` is what is known of the VirtualNode: what it is now, unless it says otherwise. */
    reconcile: async (seen?: Stored<VirtualNode>) => {
      const virtualNode = seen ?? (await cacheOf(VirtualNode)).get(key);
      return new NodeReconciler({
        context,
        link: { virtualNode, contact: 'there', trouble: undefined },
        nodes: await cacheOf(Node),
        peers: await cacheOf(ForeignCluster),
        address: '127.0.0.1',
        kubeletPort: 10_250,
        extras: { labels: {}, annotations: {} },
        checkNetwork: false,
      }).reconcile(run);
    },
    node: () => admin.get(Node, { name: 'mynode' }),
    createNode: (marks: Record<string, string>) =>
      admin.create(Node, { metadata: { name: 'mynode', labels: marks } }),
  };
}

const virtual = { [labels.type]: labelValues.virtualNode };

describe('the Node of a VirtualNode', () => {
  test('is made, and every write of it is told, so that nobody acts before the cache shows it', async () => {
    const { reconcile, node, written } = await startWorld();
    await reconcile();
    const [made, said] = written;
    expect(made?.metadata.uid).toBe((await node())?.metadata.uid);
    expect(said).toEqual(await node());
    expect(written).toHaveLength(2);
  });

  test('gets what it lacks, and that is told as well', async () => {
    const { createNode, reconcile, node, written } = await startWorld();
    await createNode(virtual);
    await reconcile();
    expect((await node())?.spec?.taints).toContainEqual(expect.objectContaining(taint));
    expect(written).toHaveLength(2);
  });

  test('keeps a taint that somebody puts on it at the same moment', async () => {
    const { admin, createNode, reconcile, node, faults } = await startWorld();
    await createNode(virtual);
    const theirs = { key: 'theirs', effect: 'NoExecute' };
    const before = () =>
      admin.patch(Node, { name: 'mynode' }, mergePatch({ spec: { taints: [theirs] } }));
    faults.plan = faultOn(({ verb }) => verb === 'patch', { before });
    expect(await rejection(reconcile())).toSatisfy(isConflict);
    expect((await node())?.spec?.taints).toContainEqual(expect.objectContaining(theirs));
  });

  test('is not made for a VirtualNode that goes, also if we have not heard of it', async () => {
    const { admin, reconcile, node, lookAtVirtualNode } = await startWorld();
    const before = await lookAtVirtualNode();
    await admin.delete(VirtualNode, key);
    await reconcile();
    await reconcile(before);
    expect(await node()).toBeUndefined();
  });

  test('is not made for a VirtualNode that wants none any more', async () => {
    const { admin, reconcile, node } = await startWorld();
    await admin.patch(VirtualNode, key, mergePatch({ spec: { createNode: false } }));
    await reconcile();
    expect(await node()).toBeUndefined();
  });

  test('is not taken from somebody else', async () => {
    const { createNode, reconcile, node, events } = await startWorld();
    const { metadata } = await createNode({});
    await reconcile();
    expect((await node())?.metadata).toEqual(metadata);
    expect(events.map(({ reason }) => reason)).toEqual(['NameTaken']);
  });
});
