import { startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { afterAll, beforeAll, describe } from 'vitest';
import { allowedHosts, consumerAttacks } from '../testing/consumer-attacks.ts';
import { consumerBypassAttacks } from '../testing/consumer-bypass-attacks.ts';
import { installPolicies, type PolicyStage } from '../testing/policy-stage.ts';
import { virtualKubeletAttacks } from '../testing/virtual-kubelet-attacks.ts';
import { webhookSkipAttacks } from '../testing/webhook-skip-attacks.ts';

describe('the policies of an installation', () => {
  let cluster: Awaited<ReturnType<typeof startMinicluster>>;
  let stage: PolicyStage;

  beforeAll(async () => {
    cluster = await startMinicluster({ name: 'here', clock: systemClock, random: systemRandom });
    stage = { admin: cluster.client, as: async (user) => cluster.clientFor(user) };
    await installPolicies(cluster.client, { ingressHosts: allowedHosts });
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  virtualKubeletAttacks(() => stage);
  consumerAttacks(() => stage);
  consumerBypassAttacks(() => stage);
  webhookSkipAttacks(() => stage);
});
