import { NamespaceOffloading, ShadowPod, VirtualNode, virtualNodeToleration } from '@liqo/api';
import {
  ClusterRoleBinding,
  compareQuantities,
  Deployment,
  isConditionTrue,
  type Kind,
  type KubeObject,
  Lease,
  mergePatch,
  Namespace,
  Node,
  Pod,
  parseQuantity,
  type Stored,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKubeconfig, introduce, startCluster } from './world.ts';

const patient = { timeoutMs: 30_000 };
const namespace = 'liqo-tenant-milan';

describe('a virtual node on an existing Secret', () => {
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const shared = { clock: systemClock, random: systemRandom };
    [rome, milan] = await Promise.all([
      startCluster({ clusterID: 'rome', ...shared }),
      startCluster({ clusterID: 'milan', ...shared }),
    ]);
    await introduce(rome, milan);
  });

  afterAll(async () => {
    await rome[Symbol.asyncDispose]();
    await milan[Symbol.asyncDispose]();
  });

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

  test('becomes a ready node', async () => {
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
        ['Provider', 'Reachable'],
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

  test('shows at home why the provider refuses a pod', async () => {
    const key = { namespace: 'shop', name: 'privileged' };
    const securityContext = { privileged: true };
    await rome.client.create(Pod, {
      metadata: key,
      spec: { ...onVirtualNode, containers: [{ name: 'x', image: 'x', securityContext }] },
    });
    await eventually(async () => {
      const pod = await rome.client.get(Pod, key);
      expect(pod?.status?.phase).toBe('Pending');
      expect(JSON.stringify(pod?.status)).toContain('PodSecurity');
    }, patient);
    expect(await milan.client.get(Pod, { ...key, namespace: 'shop-rome' })).toBeUndefined();
    await rome.client.delete(Pod, key);
    await eventually(async () => expect(await rome.client.get(Pod, key)).toBeUndefined(), patient);
  });

  test('is taken down in order, and leaves nothing', async () => {
    const steps = new Map<string, number>();
    const watching = new AbortController();
    /** Steps are in the order of the versions of the changes that made them. */
    const note = async <T extends KubeObject>(
      kind: Kind<T>,
      name: (type: string, object: Stored<T>) => string | undefined,
    ) => {
      const { resourceVersion } = await rome.client.list(kind);
      const changes = rome.client.watch(kind, { resourceVersion }, watching.signal);
      for await (const change of changes) {
        if (change.type === 'BOOKMARK') continue;
        const step = name(change.type, change.object);
        const version = Number(change.object.metadata.resourceVersion);
        if (step) steps.set(step, Math.max(version, steps.get(step) ?? 0));
      }
    };
    const web = (pod: Stored<Pod>) =>
      pod.metadata.labels?.app === 'web' && pod.spec?.nodeName === 'mynode';
    const watches = [
      note(Node, (type, { metadata, spec }) => {
        if (metadata.name !== 'mynode') return undefined;
        if (type === 'DELETED') return 'Node gone';
        return spec?.unschedulable && !steps.has('cordoned') ? 'cordoned' : undefined;
      }),
      note(Pod, (type, pod) => {
        if (!web(pod)) return undefined;
        return type === 'DELETED' ? 'last pod gone' : undefined;
      }),
      note(Deployment, (type, { metadata }) =>
        metadata.name === 'vk-mynode' && type === 'DELETED' ? 'virtual kubelet gone' : undefined,
      ),
      note(VirtualNode, (type) => (type === 'DELETED' ? 'VirtualNode gone' : undefined)),
    ].map((watch) => watch.catch(() => undefined));
    expect((await milan.client.list(ShadowPod)).items).toHaveLength(3);

    await rome.client.delete(VirtualNode, { namespace, name: 'mynode' });
    await eventually(() => expect(steps.has('VirtualNode gone')).toBe(true), patient);
    watching.abort();
    await Promise.all(watches);
    const order = [...steps].sort(([, a], [, b]) => a - b).map(([step]) => step);
    expect(order).toEqual([
      'cordoned',
      'last pod gone',
      'Node gone',
      'virtual kubelet gone',
      'VirtualNode gone',
    ]);
    expect((await milan.client.list(ShadowPod)).items).toEqual([]);
    expect(await rome.client.get(ClusterRoleBinding, { name: 'liqo-node-mynode' })).toBeUndefined();
    const lease = { namespace: 'kube-node-lease', name: 'mynode' };
    expect(await rome.client.get(Lease, lease)).toBeUndefined();
    await eventually(async () => {
      expect(await milan.client.get(Namespace, { name: 'shop-rome' })).toBeUndefined();
    }, patient);
  });
});
