import {
  NamespaceOffloading,
  ShadowPod,
  VirtualNode,
  VkOptionsTemplate,
  virtualNodeToleration,
} from '@liqo/api';
import {
  CertificateSigningRequest,
  ClusterRoleBinding,
  compareQuantities,
  Deployment,
  Event,
  findCondition,
  isConditionTrue,
  Lease,
  mergePatch,
  Namespace,
  Node,
  Pod,
  parseQuantity,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { createKubeconfig } from './introduce.ts';
import { startWorld } from './start-world.ts';
import { TakeDownWatch, takeDownOrder } from './testing/watch-take-down.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 30_000 };
const namespace = 'liqo-tenant-milan';

describe('a virtual node on an existing Secret', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({ kubernetes, consumer: 'rome', providers: ['milan'], byHand: true });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  });

  afterAll(() => world[Symbol.asyncDispose]());

  async function change(spec: object): Promise<void> {
    const patch = mergePatch({ spec } as Parameters<typeof mergePatch>[0]);
    await rome.client.patch(VirtualNode, { namespace, name: 'mynode' }, patch);
  }

  function isReady() {
    return eventually(async () => {
      const node = await rome.client.get(Node, { name: 'mynode' });
      expect(isConditionTrue(node?.status?.conditions, 'Ready')).toBe(true);
      return node;
    }, patient);
  }

  const onVirtualNode = {
    nodeSelector: { 'liqo.io/type': 'virtual-node' },
    tolerations: [{ ...virtualNodeToleration }],
  };

  test('becomes a ready node, also with the flags of a template written for Liqo v1.2', async () => {
    const template = { namespace: 'liqo', name: 'virtual-kubelet-default' };
    const extraArgs = ['--node-ping-interval', '5s', '--local-podcidr=10.0.0.0/16', '-v=2'];
    await rome.client.patch(VkOptionsTemplate, template, mergePatch({ spec: { extraArgs } }));
    await createKubeconfig(rome, milan, {
      name: 'kubeconfig-resourceslice-mypool',
      user: 'mypool-rome',
    });
    await rome.client.create(VirtualNode, {
      metadata: { name: 'mynode', namespace, labels: { 'liqo.io/remote-cluster-id': 'milan' } },
      spec: {
        clusterID: 'milan',
        createNode: true,
        disableNetworkCheck: false,
        kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
        labels: { 'liqo.io/remote-cluster-id': 'milan' },
        resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } },
      },
    });
    await isReady();
    await eventually(async () => {
      const { status } = (await rome.client.get(VirtualNode, { namespace, name: 'mynode' })) ?? {};
      const running = status?.conditions?.map((condition) => [condition.type, condition.status]);
      expect(running?.sort()).toEqual([
        ['Node', 'Running'],
        ['Provider', 'Running'],
        ['VirtualKubelet', 'Running'],
      ]);
    }, patient);
  });

  test('is followed by its Node, also where something is taken away', async () => {
    const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
    await change({
      labels: { zone: 'north' },
      annotations: { note: 'x' },
      taints: [taint],
      resourceQuota: { hard: { cpu: '4', 'example.org/gpu': '1' } },
    });
    await eventually(async () => {
      const node = await rome.client.get(Node, { name: 'mynode' });
      expect(node?.metadata).toMatchObject({
        labels: { zone: 'north' },
        annotations: { note: 'x' },
      });
      expect(node?.spec?.taints).toContainEqual(taint);
      expect(node?.status?.allocatable).toMatchObject({ cpu: '4', 'example.org/gpu': '1' });
    }, patient);
    await change({
      labels: { zone: null },
      annotations: null,
      taints: null,
      resourceQuota: { hard: { 'example.org/gpu': null } },
    });
    await eventually(async () => {
      const node = await rome.client.get(Node, { name: 'mynode' });
      expect(node?.metadata.labels).not.toHaveProperty('zone');
      expect(node?.metadata.annotations).not.toHaveProperty('note');
      expect(node?.spec?.taints).not.toContainEqual(taint);
      expect(node?.status?.allocatable).not.toHaveProperty('example.org/gpu');
      const cpu = parseQuantity(node?.status?.allocatable?.cpu ?? '0');
      expect(compareQuantities(cpu, parseQuantity('4'))).toBe(0);
    }, patient);
  });

  test('has its Node made again that somebody deletes', async () => {
    const before = await isReady();
    await rome.client.delete(Node, { name: 'mynode' });
    await eventually(async () => {
      const after = await isReady();
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    }, patient);
  });

  test('runs a deployment over there', async () => {
    await rome.client.create(Namespace, { metadata: { name: 'shop' } });
    await rome.client.create(NamespaceOffloading, {
      metadata: { name: 'offloading', namespace: 'shop' },
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
    });
    await rome.client.create(Deployment, {
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...onVirtualNode, containers: [{ name: 'web', image: 'nginx' }] },
        },
      },
    });
    await eventually(async () => {
      const web = await rome.client.get(Deployment, { namespace: 'shop', name: 'web' });
      expect(web?.status?.readyReplicas).toBe(3);
    }, patient);
    const remote = await milan.client.list(Pod, { namespace: 'shop-rome' });
    const phases = remote.items.map(({ status }) => status?.phase);
    expect(phases).toEqual(['Running', 'Running', 'Running']);
  });

  test('answers the first request for a log at once, with a certificate of the cluster', async () => {
    const [pod] = (await rome.client.list(Pod, { namespace: 'shop' })).items;
    const path = `/api/v1/namespaces/shop/pods/${pod?.metadata.name}/log`;
    const startedMs = systemClock.monotonicMs();
    const log = await rome.client.raw({ method: 'GET', path });
    await log.text();
    // Below the 5 s after which a call is answered with a self-signed certificate.
    expect(systemClock.monotonicMs() - startedMs).toBeLessThan(4_000);
    const { items } = await rome.client.list(CertificateSigningRequest);
    const answers = items.map(({ status }) => status?.conditions?.map(({ type }) => type));
    expect(answers).toEqual([['Approved']]);
    const node = await rome.client.get(Node, { name: 'mynode' });
    const [kubelet] = (await rome.client.list(Pod, { namespace })).items;
    expect(node?.status?.addresses).toEqual([
      { type: 'InternalIP', address: kubelet?.status?.podIP },
    ]);
  });

  const container = { name: 'x', image: 'x' };
  const privileged = { ...container, securityContext: { privileged: true } };
  const nfs = [{ name: 'data', nfs: { server: '10.0.0.1', path: '/' } }];

  test.each([
    ['its Pod Security level', 'FailedCreatePod', 'PodSecurity', { containers: [privileged] }],
    ['its pod policy', 'PodPolicy', 'type nfs', { containers: [container], volumes: nfs }],
  ])(
    'shows on the pod, and in an Event, that the provider refuses it by %s',
    async (_, reason, fact, spec) => {
      const key = { namespace: 'shop', name: 'refused' };
      await rome.client.create(Pod, { metadata: key, spec: { ...onVirtualNode, ...spec } });
      const message = expect.stringContaining(fact);
      await eventually(async () => {
        const pod = await rome.client.get(Pod, key);
        expect(pod?.status).toMatchObject({ phase: 'Pending', reason, message });
        expect(findCondition(pod?.status?.conditions, 'offloading.liqo.io/Accepted')).toMatchObject(
          {
            status: 'False',
            reason,
            message,
          },
        );
        const { items } = await rome.client.list(Event, { namespace: 'shop' });
        expect(items).toContainEqual(expect.objectContaining({ reason, note: message }));
      }, patient);
      expect(await milan.client.get(Pod, { ...key, namespace: 'shop-rome' })).toBeUndefined();
      await rome.client.delete(Pod, key);
      await eventually(
        async () => expect(await rome.client.get(Pod, key)).toBeUndefined(),
        patient,
      );
    },
  );

  test('is taken down in order, and leaves nothing', async () => {
    await using watch = new TakeDownWatch(rome.client);
    expect((await milan.client.list(ShadowPod)).items).toHaveLength(3);

    await rome.client.delete(VirtualNode, { namespace, name: 'mynode' });
    await eventually(() => expect(watch.steps).toEqual(takeDownOrder), patient);
    expect((await milan.client.list(ShadowPod)).items).toEqual([]);
    expect(await rome.client.get(ClusterRoleBinding, { name: 'liqo-node-mynode' })).toBeUndefined();
    const lease = { namespace: 'kube-node-lease', name: 'mynode' };
    expect(await rome.client.get(Lease, lease)).toBeUndefined();
    await eventually(async () => {
      expect(await milan.client.get(Namespace, { name: 'shop-rome' })).toBeUndefined();
    }, patient);
  });
});
