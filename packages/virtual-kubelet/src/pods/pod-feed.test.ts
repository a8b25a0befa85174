import { Pod } from '@liqo/kube';
import { silentLogger } from '@liqo/runtime';
import { faultOn, noFaults } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { PodFeed } from './pod-feed.ts';

async function startFeed() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, faults, context, clock } = world;
  let show = () => {};
  const holdHeaders = new Promise<void>((resolve) => {
    show = resolve;
  });
  const spec = { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] };
  await admin.create(Pod, { metadata: { namespace: 'shop', name: 'web' }, spec });
  faults.plan = faultOn(({ verb }) => verb === 'list', { holdHeaders });
  const feed = new PodFeed(context);
  onTestFinished(() => feed[Symbol.asyncDispose]());
  const enqueued: string[] = [];
  for (const source of feed.sources) {
    source.start({ clock, log: silentLogger, enqueue: ({ name }) => enqueued.push(name) });
  }
  return {
    feed,
    enqueued,
    show: async () => {
      faults.plan = noFaults;
      show();
      await feed.pods.synced();
      enqueued.length = 0;
    },
  };
}

describe('PodFeed', () => {
  test.each([
    ['all pods', (feed: PodFeed) => feed.lookAtAll()],
    ['the pods of a namespace', (feed: PodFeed) => feed.lookAtNamespace('shop')],
  ])('has %s looked at, and none before it knows which there are', async (_, look) => {
    const { feed, enqueued, show } = await startFeed();
    look(feed);
    expect(enqueued).toEqual([]);
    await show();
    look(feed);
    expect(enqueued).toEqual(['web']);
  });
});
