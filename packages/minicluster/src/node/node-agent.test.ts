import { systemClock, systemRandom } from '@liqo/runtime';
import { nodeAgent } from '@liqo/testkit/cluster';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Minicluster, startMinicluster } from '../start-minicluster.ts';

describe('a minicluster with a node', () => {
  let cluster: Minicluster;

  beforeAll(async () => {
    cluster = await startMinicluster({ clock: systemClock, random: systemRandom, nodes: 1 });
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  nodeAgent(() => ({
    client: cluster.client,
    nodeName: 'minicluster-1',
    warnings: [],
    forgetHistory: async () => cluster.forgetHistory(),
  }));
});
