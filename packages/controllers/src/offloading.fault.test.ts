import {
  labels,
  NamespaceMap,
  NamespaceOffloading,
  ShadowPod,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  type Kind,
  type KubeObject,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Secret,
  ServiceAccount,
} from '@liqo/kube';
import {
  type Informer,
  type Stoppable,
  silentLogger,
  startInformer,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import {
  type Fault,
  type FaultPlan,
  failAfterEffect,
  lostAnswer,
  lostRequest,
  noFaults,
  refusal,
  seededPlan,
} from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNamespaceMapController } from './namespaces/namespace-map-controller.ts';
import { startNamespaceOffloadingController } from './namespaces/namespace-offloading-controller.ts';
import { startReplicationController } from './replication/replication-controller.ts';
import { startShadowPodController } from './shadow-pods/shadow-pod-controller.ts';
import { hastyClock } from './testing/hasty-clock.ts';
import { startCluster, type TestCluster } from './testing/start-cluster.ts';
import { introduce } from './testing/tenancy.ts';
import {
  defaultOptions,
  kubeconfigSecret,
  tenantNamespace as namespace,
  secretWith,
  virtualNodeCalled,
} from './testing/virtual-node-fixtures.ts';
import { startVirtualNodeController } from './virtual-nodes/virtual-node-controller.ts';

const patient = { timeoutMs: 40_000 };

const faults: readonly (() => Fault)[] = [
  () => refusal(409),
  () => refusal(500),
  () => failAfterEffect(500),
  () => lostRequest('reset'),
  () => lostAnswer('reset'),
  () => ({ twice: 'first answer' }),
];

describe('offloading, while calls go wrong', { timeout: 120_000 }, () => {
  let rome: TestCluster;
  let milan: TestCluster;
  const running: Stoppable[] = [];

  beforeAll(async () => {
    [rome, milan] = await Promise.all([startCluster('rome'), startCluster('milan')]);
    await introduce(rome, milan);
    await rome.client.create(VkOptionsTemplate, defaultOptions);
    await rome.client.create(Secret, secretWith(kubeconfigSecret, milan.cluster.kubeconfigText));
  });

  afterEach(async () => {
    rome.calls.plan = noFaults;
    milan.calls.plan = noFaults;
    await Promise.all(running.splice(0).map((part) => part[Symbol.asyncDispose]()));
  });

  afterAll(async () => {
    await rome[Symbol.asyncDispose]();
    await milan[Symbol.asyncDispose]();
  });

  function start(): void {
    const home = { ...rome.context, clock: hastyClock };
    const provider = { ...milan.context, clock: hastyClock };
    running.push(
      startReplicationController(home),
      startNamespaceOffloadingController(home),
      startVirtualNodeController(home, { drainTimeoutMs: 60_000 }),
      startNamespaceMapController(provider, { podSecurity: 'baseline' }),
      startShadowPodController(provider),
    );
  }

  /** For a while: with every fifth call going wrong for ever, long rounds never get through. */
  function suffer(seed: number): () => number {
    const plan = seededPlan({ seed, rate: 0.2, faults });
    let suffered = 0;
    const counting: FaultPlan = (call) => {
      const fault = suffered < 80 ? plan(call) : undefined;
      if (fault) suffered += 1;
      return fault;
    };
    rome.calls.plan = counting;
    milan.calls.plan = counting;
    return () => suffered;
  }

  /** How many objects of a kind there have ever been from now on. */
  function countMade<T extends KubeObject>(
    { client }: TestCluster,
    kind: Kind<T>,
    selection: { readonly namespace?: string; readonly fieldSelector?: string },
  ): { readonly made: Set<string>; readonly informer: Informer<T> } {
    const made = new Set<string>();
    const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
    const informer = startInformer<T>({ client, kind, selection, ...shared });
    const see = ({ metadata }: KubeObject) => made.add(metadata?.uid ?? '');
    informer.subscribe({ onAdd: see, onUpdate: (_, after) => see(after), onDelete: see });
    running.push(informer);
    return { made, informer };
  }

  function isGone<T extends KubeObject>(
    { client }: TestCluster,
    kind: Kind<T>,
    key: { readonly namespace?: string; readonly name: string },
  ) {
    return eventually(async () => expect(await client.get(kind, key)).toBeUndefined(), patient);
  }

  test.each([1, 2, 3])(
    'ends as it always does, and nothing is made twice, seed %d',
    async (seed) => {
      const name = `node-${seed}`;
      const home = `shop-${seed}`;
      const remote = `shop-${seed}-rome`;
      const namespaces = countMade(milan, Namespace, { fieldSelector: `metadata.name=${remote}` });
      const pods = countMade(milan, Pod, { namespace: remote });
      const kubelets = countMade(rome, Deployment, { namespace });
      await Promise.all([namespaces, pods, kubelets].map(({ informer }) => informer.synced()));
      const suffered = suffer(seed);
      start();

      await rome.client.create(VirtualNode, virtualNodeCalled(name));
      await rome.client.create(Namespace, { metadata: { name: home } });
      await rome.client.create(NamespaceOffloading, {
        metadata: { name: 'offloading', namespace: home },
        spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
      });
      const offloading = { namespace: home, name: 'offloading' };
      await eventually(async () => {
        const { status } = (await rome.client.get(NamespaceOffloading, offloading)) ?? {};
        expect(status?.offloadingPhase).toBe('Ready');
        const kubelet = { namespace, name: `vk-${name}` };
        expect(await rome.client.get(Deployment, kubelet)).toBeDefined();
        const account = { namespace: remote, name: 'default' };
        expect(await milan.client.get(ServiceAccount, account)).toBeDefined();
      }, patient);

      const web = { namespace: remote, name: 'web' };
      await milan.client.create(ShadowPod, {
        metadata: { ...web, labels: { [labels.origin]: 'rome' } },
        spec: { pod: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'nginx' }] } },
      });
      await eventually(async () => expect(await milan.client.get(Pod, web)).toBeDefined(), patient);
      const finished = mergePatch({ status: { phase: 'Succeeded' } });
      await milan.client.patch(Pod, web, finished, { subresource: 'status' });
      await eventually(async () => {
        const { status } = (await milan.client.get(ShadowPod, web)) ?? {};
        expect(status?.phase).toBe('Succeeded');
      }, patient);
      await milan.client.delete(Pod, web, { gracePeriodSeconds: 0 });
      await isGone(milan, Pod, web);

      await rome.client.delete(NamespaceOffloading, offloading);
      await isGone(rome, NamespaceOffloading, offloading);
      await isGone(milan, Namespace, { name: remote });
      await rome.client.delete(VirtualNode, { namespace, name });
      await isGone(rome, VirtualNode, { namespace, name });
      await isGone(rome, NamespaceMap, { namespace, name: 'milan' });
      expect(await rome.client.get(Node, { name })).toBeUndefined();
      const binding = { name: `liqo-node-${name}` };
      expect(await rome.client.get(ClusterRoleBinding, binding)).toBeUndefined();
      expect((await milan.client.list(NamespaceMap)).items).toEqual([]);
      expect([namespaces.made.size, pods.made.size, kubelets.made.size]).toEqual([1, 1, 1]);
      expect(suffered()).toBeGreaterThan(10);
    },
  );
});
