import { VirtualNode } from '@liqo/api';
import { findCondition, mergePatch, Node, Pod, Secret } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { describe, expect, test } from 'vitest';
import { kubectl } from '../real-nodes/kubectl.ts';
import { podOn, tenant, virtualNodeOf } from './manifests.ts';
import { type GetStage, patience, runPod } from './place.ts';
import type { Stage } from './stage.ts';

type User = Parameters<RealCluster['kubeconfigFor']>[0];

interface Case {
  readonly node: string;
  readonly user: User;
  readonly reason: string;
  /** How the complaint ends. */
  readonly advice: RegExp;
}

const consumer: User = { name: 'mypool-rome', groups: ['rome'] };

const cases: readonly Case[] = [
  {
    node: 'expired',
    user: { ...consumer, expires: new Date('2020-01-01T00:00:00Z') },
    reason: 'RemoteUnauthorized',
    advice: /they may have expired; replace them with new ones of "milan"$/,
  },
  {
    node: 'forbidden',
    user: { name: 'stranger', groups: [] },
    reason: 'RemoteForbidden',
    advice:
      /have "milan" bind the role "liqo-virtual-kubelet-remote" to their group there, or replace them$/,
  },
];

/** Kubeconfigs that lead to the provider, and are of no use there. */
export function credentialSuite(stage: GetStage): void {
  for (const one of cases) {
    describe.concurrent(`a kubeconfig that is ${one.node}`, () => uselessSuite(stage, one));
  }
}

function uselessSuite(stage: GetStage, { node, user, reason, advice }: Case): void {
  const secret = { namespace: tenant, name: `kubeconfig-${node}` };

  test.sequential('is complained of in the VirtualNode, with what to do, and in its Node', async () => {
    const { client } = stage().rome;
    await client.create(Secret, { metadata: secret, data: await kubeconfigOf(stage(), user) });
    await client.create(VirtualNode, virtualNodeOf(node, secret.name));
    await eventually(async () => {
      const said = await providerCondition(stage(), node);
      expect(said).toMatchObject({ status: 'Unreachable', reason });
      expect(said?.message).toContain(`the Secret "${secret.name}"`);
      expect(said?.message).toMatch(advice);
      expect(await readiness(stage(), node)).toMatchObject({ status: 'False', reason });
    }, patience);
  });

  test.sequential('is forgotten when there is a good one, and nothing has crashed', async () => {
    const data = await kubeconfigOf(stage(), consumer);
    await stage().rome.client.patch(Secret, secret, mergePatch({ data }));
    await eventually(async () => {
      const said = await providerCondition(stage(), node);
      expect(said).toMatchObject({ status: 'Running' });
      expect(said?.reason ?? '').toBe('');
      expect(await readiness(stage(), node)).toMatchObject({ status: 'True' });
    }, patience);
    await runPod(stage().rome, podOn(node, `on-${node}`));
    await expectQuiet(stage(), node);
  });
}

async function kubeconfigOf({ rome, milan }: Stage, user: User): Promise<Record<string, string>> {
  const text = await milan.kubeconfigFor(user, rome);
  return { kubeconfig: Buffer.from(text).toString('base64') };
}

async function providerCondition({ rome }: Stage, name: string) {
  const node = await rome.client.get(VirtualNode, { namespace: tenant, name });
  return findCondition(node?.status?.conditions, 'Provider');
}

async function readiness({ rome }: Stage, name: string) {
  const node = await rome.client.get(Node, { name });
  return findCondition(node?.status?.conditions, 'Ready');
}

/** Its virtual kubelet has not crashed, and did not take the refusals for errors of its own. */
async function expectQuiet({ rome }: Stage, name: string): Promise<void> {
  const labelSelector = `liqo.io/virtual-node=${name}`;
  const { items } = await rome.client.list(Pod, { namespace: tenant, labelSelector });
  expect(items.map(({ status }) => status?.containerStatuses?.[0]?.restartCount)).toEqual([0]);
  const log = await kubectl(rome, `-n ${tenant} logs deployment/vk-${name} --tail=-1`);
  expect(log.split('\n').filter((line) => /"error".*(forbidden|unauthorized)/i.test(line))).toEqual(
    [],
  );
}
