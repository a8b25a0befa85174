import { Advertisement, advertisementName, ClusterConfig, VirtualNode } from '@liqo/api';
import { isConditionTrue, mergePatch, Node } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes, startWorld, type World } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere, successful } from '../testing/run-here.ts';

const patient = { timeoutMs: 30_000 };
const name = advertisementName('milan');
const copyKey = { namespace: 'liqo-tenant-milan', name };
const originalKey = { namespace: 'liqo-tenant-rome', name };

describe('ending a peering with an accepted offer', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({ kubernetes, consumer: 'rome', providers: ['milan'] });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    for (const { client } of [rome, milan]) {
      const spec = { advertisementConfig: {} } as ClusterConfig['spec'];
      await client.create(ClusterConfig, { metadata: { name: 'configuration' }, spec });
    }
    await isReady();
  }, 120_000);

  afterAll(() => world?.[Symbol.asyncDispose]());

  function isReady() {
    return eventually(async () => {
      const node = await rome.client.get(Node, { name: 'liqo-milan' });
      expect(isConditionTrue(node?.status?.conditions, 'Ready')).toBe(true);
    }, patient);
  }

  function liqoctl(line: string) {
    return runHere(line.split(' '), { env: { KUBECONFIG: rome.kubeconfig } });
  }

  async function expectNoNode(): Promise<void> {
    expect((await rome.client.list(VirtualNode)).items).toEqual([]);
    expect(await rome.client.get(Node, { name: 'liqo-milan' })).toBeUndefined();
  }

  test('unpeer --wait=false refuses the offer, so that the next unpeer finds an end', async () => {
    const both = `--remote-kubeconfig ${milan.kubeconfig}`;
    await successful(liqoctl(`unpeer --wait=false ${both}`));
    const { status } = (await rome.client.get(Advertisement, copyKey)) ?? {};
    expect(status).toMatchObject({ decision: { value: 'Refused', source: 'Manual' } });
    await successful(liqoctl(`unpeer ${both}`));
    await expectNoNode();
    expect(await rome.client.get(Advertisement, copyKey)).toBeUndefined();
    await eventually(async () => {
      expect(await milan.client.get(Advertisement, originalKey)).toBeUndefined();
    }, patient);
  }, 120_000);

  test('force unpeer ends it although the provider goes on offering', async () => {
    const peer = `peer --networking-disabled --create-resource-slice=false --remote-kubeconfig ${milan.kubeconfig}`;
    await successful(liqoctl(peer));
    await isReady();
    await milan.client.patch(
      ClusterConfig,
      { name: 'configuration' },
      mergePatch({
        spec: { advertisementConfig: { outgoingConfig: { refreshPeriodSeconds: 1 } } },
      } as never),
    );
    const line = 'force unpeer milan --skip-confirm --timeout 60s';
    const { stderr } = await successful(liqoctl(line));
    expect(stderr).toContain('✔ The virtual node of the offer of "milan" is gone');
    await expectNoNode();
    expect((await rome.client.list(Advertisement)).items).toEqual([]);
  }, 120_000);
});
