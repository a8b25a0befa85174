import { ValidatingAdmissionPolicy } from '@liqo/kube';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { connectSubject, type SubjectWithUsers } from '@liqo/testkit/cluster';
import { type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allowedHosts,
  consumerAttacks,
} from '../packages/manifests/src/testing/consumer-attacks.ts';
import { consumerBypassAttacks } from '../packages/manifests/src/testing/consumer-bypass-attacks.ts';
import {
  installPolicies,
  type PolicyStage,
} from '../packages/manifests/src/testing/policy-stage.ts';
import { virtualKubeletAttacks } from '../packages/manifests/src/testing/virtual-kubelet-attacks.ts';
import { webhookSkipAttacks } from '../packages/manifests/src/testing/webhook-skip-attacks.ts';

describe('the policies of an installation on a real Kubernetes', () => {
  let cluster: RealCluster;
  let subject: SubjectWithUsers;
  let stage: PolicyStage;

  beforeAll(async () => {
    cluster = await startRealCluster();
    subject = await connectSubject(cluster, {
      clock: systemClock,
      random: systemRandom,
      forgetHistory: async () => undefined,
    });
    stage = { admin: subject.client, as: (user) => subject.as(user) };
    await installPolicies(stage.admin, { ingressHosts: allowedHosts });
  });
  afterAll(async () => {
    await subject?.client[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  test('have expressions that the type checker accepts for every kind they match', async () => {
    await eventually(async () => {
      const { items } = await stage.admin.list(ValidatingAdmissionPolicy);
      for (const { metadata, status } of items) {
        expect(status?.observedGeneration, metadata.name).toBe(metadata.generation);
        expect(status?.typeChecking?.expressionWarnings ?? [], metadata.name).toEqual([]);
      }
    });
  });

  virtualKubeletAttacks(() => stage);
  consumerAttacks(() => stage);
  consumerBypassAttacks(() => stage);
  webhookSkipAttacks(() => stage);
});
