import { annotations, labels, VirtualNode, virtualNodeToleration } from '@liqo/api';
import {
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  Deployment,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Secret,
  ValidatingAdmissionPolicy,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes, startWorld, type World } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../testing/run-here.ts';

const patient = { timeoutMs: 30_000 };

describe('liqoctl uninstall', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mypool', provider: 'milan' }],
      offloaded: ['shop'],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    await rome.client.create(Pod, {
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        nodeSelector: { 'liqo.io/type': 'virtual-node' },
        tolerations: [{ ...virtualNodeToleration }],
        containers: [{ name: 'main', image: 'app' }],
      },
    });
    await eventually(async () => {
      const pods = (await milan.client.list(Pod, { namespace: 'shop-rome' })).items;
      expect(pods).toHaveLength(1);
    }, patient);
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  function liqoctl(cluster: Minicluster, line: string) {
    return runHere(line.split(' '), { env: { KUBECONFIG: cluster.kubeconfig } });
  }

  async function listRemains({ client }: Minicluster): Promise<readonly string[]> {
    const lists = await Promise.all([
      client.list(CustomResourceDefinition),
      client.list(Namespace),
      client.list(ClusterRole),
      client.list(ClusterRoleBinding),
      client.list(ValidatingAdmissionPolicy),
      client.list(Node),
    ]);
    const names = lists.flatMap(({ items }) =>
      (items as readonly { metadata: { name: string } }[]).map(({ metadata }) => metadata.name),
    );
    return names.filter((name) => /liqo|mypool/.test(name));
  }

  test('refuses while there are peers, and says what would be lost', async () => {
    const { code, stderr } = await liqoctl(rome, 'uninstall --skip-confirm');
    expect(code).toBe(1);
    expect(stderr).toMatch(/it is in use by 1 peer \("milan"\), 1 virtual node \("mypool"\)/);
    expect(stderr).toContain('1 offloaded namespace ("shop"), 1 slice ("mypool")');
    const atMilan = await liqoctl(milan, 'uninstall --skip-confirm');
    expect(atMilan.stderr).toContain('1 consumer ("rome"), 1 pods of consumers');
    expect(await rome.client.list(VirtualNode)).toMatchObject({ items: [{}] });
  });

  test('refuses where there is nobody to ask', async () => {
    const { code, stderr } = await liqoctl(rome, 'uninstall --force');
    expect(code).toBe(2);
    expect(stderr).toContain('there is nobody to ask');
  });

  test('--force --purge has the controllers take down what is in use, and leaves nothing', async () => {
    const { code, stderr } = await liqoctl(rome, 'uninstall --force --purge --skip-confirm');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('! This will be lost: 1 peer ("milan")');
    expect(stderr).toContain('✔ The controllers have taken down what was in use');
    expect(stderr).toMatch(/Liqo is uninstalled\n$/);
    expect(await listRemains(rome)).toEqual([]);
    const pods = (await milan.client.list(Pod, { namespace: 'shop-rome' })).items;
    expect(pods).toEqual([]);
  }, 90_000);

  test('ends where the controllers do not run, too', async () => {
    const key = { namespace: 'liqo', name: 'liqo-controller-manager' };
    await milan.client.patch(Deployment, key, mergePatch({ spec: { replicas: 0 } }));
    await eventually(async () => {
      expect((await milan.client.get(Deployment, key))?.status?.readyReplicas ?? 0).toBe(0);
    }, patient);
    await milan.client.create(Namespace, {
      metadata: {
        name: 'lab-rome',
        labels: { [labels.remoteClusterID]: 'rome' },
        annotations: { [annotations.managedByNamespaceMap]: 'liqo-tenant-rome/rome' },
      },
    });
    const line = 'uninstall --force --purge --skip-confirm --timeout 6s';
    // On a slow machine it may not be enough time: then it says so, and goes on.
    await eventually(async () => {
      const { code, stderr } = await liqoctl(milan, line);
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }, patient);
    await eventually(async () => expect(await listRemains(milan)).toEqual([]), patient);
    await eventually(async () => {
      expect(await milan.client.get(Namespace, { name: 'lab-rome' })).toBeUndefined();
    }, patient);
  }, 60_000);

  test('may be repeated where nothing is left', async () => {
    expect(await liqoctl(rome, 'uninstall --purge --skip-confirm')).toMatchObject({ code: 0 });
    expect(await rome.client.list(Secret, { namespace: 'liqo' })).toMatchObject({ items: [] });
  });
});
