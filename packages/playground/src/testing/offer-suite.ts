import {
  Advertisement,
  ClusterConfig,
  NamespaceMap,
  Quota,
  ResourceSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  Deployment,
  isConditionTrue,
  mergePatch,
  Node,
  Pod,
  parseQuantity,
  quantityMilliValue,
  RoleBinding,
  Secret,
} from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually, rejection } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployApp } from '../deploy-app.ts';
import type { Kubernetes, WorldCluster } from '../kubernetes.ts';
import { offloadNamespace } from '../offload-namespace.ts';
import { obtainSlice } from '../peer-clusters.ts';
import { startWorld } from '../start-world.ts';
import { waitForNode } from '../virtual-node.ts';
import type { World } from '../world.ts';
import { TakeDownWatch, takeDownOrder } from './watch-take-down.ts';

const here = { namespace: 'liqo-tenant-milan', name: 'advertisement-milan' };
const there = { namespace: 'liqo-tenant-rome', name: 'advertisement-milan' };
const node = { name: 'liqo-milan' };
const virtualNode = { namespace: here.namespace, name: node.name };
const kubelet = { namespace: here.namespace, name: 'vk-liqo-milan' };
const configuration = { name: 'configuration' };

/** The life of an offer on any Kubernetes. Each test goes on from where the one before it has ended. */
export function offerSuite<C extends WorldCluster<C>>(
  provide: () => Promise<Kubernetes<C>>,
  patient: { readonly timeoutMs: number; readonly intervalMs?: number },
): void {
  describe('the offer of a provider', () => {
    let world: World<C>;
    let rome: C;
    let milan: C;

    beforeAll(async () => {
      world = await startWorld({
        kubernetes: await provide(),
        consumer: 'rome',
        providers: ['milan'],
      });
      [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    }, 600_000);

    afterAll(() => world?.[Symbol.asyncDispose](), 120_000);

    const copy = () => rome.client.get(Advertisement, here);
    const original = () => milan.client.get(Advertisement, there);
    const wait = (look: () => Promise<void>) => eventually(look, patient);

    async function configure({ client }: C, advertisementConfig: object): Promise<void> {
      const spec = { advertisementConfig } as ClusterConfig['spec'];
      if (await client.get(ClusterConfig, configuration)) {
        await client.patch(ClusterConfig, configuration, mergePatch({ spec } as never));
      } else {
        await client.create(ClusterConfig, { metadata: configuration, spec });
      }
    }

    async function decide(value: 'Accepted' | 'Refused'): Promise<void> {
      const decision = { value, source: 'Manual', reason: null, time: null };
      const patch = mergePatch({ status: { decision } } as never);
      await rome.client.patch(Advertisement, here, patch, { subresource: 'status' });
    }

    function isWaiting() {
      return wait(async () => {
        expect((await copy())?.status?.decision?.reason).toBe('WaitingManualDecision');
      });
    }

    function isReady() {
      return eventually(async () => {
        const found = await rome.client.get(Node, node);
        expect(isConditionTrue(found?.status?.conditions, 'Ready')).toBe(true);
        return found;
      }, patient);
    }

    function runs() {
      return wait(async () => {
        const web = await rome.client.get(Deployment, { namespace: 'shop', name: 'web' });
        expect(web?.status?.readyReplicas).toBe(3);
      });
    }

    const podsAt = async (client: Client, namespace: string) => {
      const { items } = await client.list(Pod, { namespace, labelSelector: 'app=web' });
      return items;
    };
    const remoteUids = async () =>
      (await podsAt(milan.client, 'shop-rome')).map(({ metadata }) => metadata.uid).toSorted();
    const offeredPods = async () => {
      const { hard } = (await original())?.spec.resourceQuota ?? {};
      return Number(hard?.pods ?? 0);
    };

    test('is not sent before there is a ClusterConfig', async () => {
      expect(await original()).toBeUndefined();
      expect(await copy()).toBeUndefined();
    });

    test('case 12: waits for a person where ManualAccept is set from the start', async () => {
      await configure(rome, { ingoingConfig: { acceptPolicy: 'ManualAccept' } });
      await configure(milan, { outgoingConfig: { resourceSharingPercentage: 30 } });
      await isWaiting();
      expect(await copy()).toMatchObject({ status: { phase: 'Pending' } });
      expect(await rome.client.get(VirtualNode, virtualNode)).toBeUndefined();
    });

    test('case 13: becomes a ready Node when a person accepts it', async () => {
      await decide('Accepted');
      await isReady();
      expect(await copy()).toMatchObject({
        status: { phase: 'Accepted', decision: { source: 'Manual', reason: 'AcceptedManually' } },
      });
      await wait(async () => {
        expect((await original())?.status).toMatchObject({
          phase: 'Accepted',
          virtualNodeRef: { name: node.name },
        });
      });
    });

    test('case 56: has the configured share of what is free from the start', async () => {
      const { items } = await milan.client.list(Node);
      const free = items.reduce(
        (sum, { status }) =>
          sum + quantityMilliValue(parseQuantity(status?.allocatable?.pods ?? '0')),
        0n,
      );
      const allocatable = Number(free / 1_000n);
      const { hard = {} } = (await original())?.spec.resourceQuota ?? {};
      expect(Object.keys(hard)).toEqual(expect.arrayContaining(['cpu', 'memory', 'pods']));
      // Of what is allocatable, some pods run already.
      expect(await offeredPods()).toBeLessThanOrEqual(allocatable * 0.3);
      expect(await offeredPods()).toBeGreaterThan(allocatable * 0.2);
    });

    test('case 55: follows another share at once, stays accepted, and its Node grows', async () => {
      const before = await copy();
      const pods = await offeredPods();
      await configure(milan, { outgoingConfig: { resourceSharingPercentage: 50 } });
      await wait(async () => {
        expect(await offeredPods()).toBeGreaterThan(pods);
        const found = await rome.client.get(Node, node);
        expect(found?.status?.allocatable?.pods).toBe(String(await offeredPods()));
      });
      expect(await copy()).toMatchObject({
        metadata: { uid: before?.metadata.uid },
        status: { phase: 'Accepted' },
      });
    });

    test('runs pods as a user of its own, within its Quota', async () => {
      const { clock, website } = world.kubernetes;
      await offloadNamespace(rome.client, { namespace: 'shop', clock });
      const app = { name: 'web', namespace: 'shop', replicas: 3 };
      await deployApp(rome.client, { ...app, website, clock });
      const { items: quotas } = await milan.client.list(Quota, { namespace: there.namespace });
      expect(quotas).toHaveLength(1);
      expect(quotas[0]?.spec.resources).toEqual((await original())?.spec.resourceQuota.hard);
      expect((await copy())?.spec.prices).toMatchObject({ cpu: '1', memory: '2m' });
      const { items: shadows } = await milan.client.list(ShadowPod);
      expect(new Set(shadows.map(({ metadata }) => metadata.namespace))).toEqual(
        new Set(['shop-rome']),
      );
    });

    test('is read by the consumer with no more than its Secret, and changed only in its status', async () => {
      const text = await milan.kubeconfigFor({ name: 'rome', groups: ['liqo.io'] }, rome);
      const io = { clock: systemClock, random: systemRandom };
      await using asRome = await connectKubeconfig(parseKubeconfig(text, 'rome'), io);
      const secret = { namespace: there.namespace, name: 'kubeconfig-offer' };
      expect(await asRome.get(Secret, secret)).toBeDefined();
      const change = mergePatch({ spec: { properties: { x: 'y' } } });
      const refused: readonly (() => Promise<unknown>)[] = [
        () => asRome.get(Secret, { ...secret, name: 'liqo-offer-certificate' }),
        () => asRome.list(Secret, { namespace: there.namespace }),
        () => asRome.patch(Advertisement, there, change),
        () => asRome.delete(Advertisement, there),
      ];
      for (const call of refused) expect(await rejection(call())).toMatchObject({ code: 403 });
      const { items } = await rome.client.list(RoleBinding, { namespace: here.namespace });
      expect(items.filter(({ roleRef }) => roleRef.name.includes('remote'))).toEqual([]);
    });

    test('case 36: has its virtual kubelet again, while Node and pods stay', async () => {
      const [before, nodeBefore, pods] = [
        await rome.client.get(Deployment, kubelet),
        await rome.client.get(Node, node),
        await remoteUids(),
      ];
      await rome.client.delete(Deployment, kubelet);
      await wait(async () => {
        const after = await rome.client.get(Deployment, kubelet);
        expect(after && after.metadata.uid !== before?.metadata.uid).toBe(true);
        expect(after?.status?.availableReplicas).toBe(1);
        expect(after?.spec?.template.spec).toEqual(before?.spec?.template.spec);
      });
      const nodeAfter = await isReady();
      expect(nodeAfter?.metadata.uid).toBe(nodeBefore?.metadata.uid);
      expect(await remoteUids()).toEqual(pods);
    });

    test('case 38: has its Node again, with labels, taint and resources', async () => {
      const before = await isReady();
      await rome.client.delete(Node, node);
      await wait(async () => {
        const after = await rome.client.get(Node, node);
        expect(after && after.metadata.uid !== before?.metadata.uid).toBe(true);
        expect(isConditionTrue(after?.status?.conditions, 'Ready')).toBe(true);
        expect(after?.metadata.labels).toEqual(before?.metadata.labels);
        expect(after?.spec?.taints).toEqual(before?.spec?.taints);
        expect(after?.status?.allocatable).toEqual(before?.status?.allocatable);
      });
      await runs();
    });

    test('case 64: leaves no remote object of a pod that is deleted at once', async () => {
      const [web] = await podsAt(rome.client, 'shop');
      const { nodeSelector, tolerations, containers = [] } = web?.spec ?? {};
      const key = { namespace: 'shop', name: 'brief' };
      const image = containers[0]?.image ?? '';
      await rome.client.create(Pod, {
        metadata: key,
        spec: {
          ...(nodeSelector && { nodeSelector }),
          ...(tolerations && { tolerations }),
          containers: [{ name: 'brief', image }],
        },
      });
      await rome.client.delete(Pod, key);
      await wait(async () => {
        expect(await rome.client.get(Pod, key)).toBeUndefined();
        const remote = { ...key, namespace: 'shop-rome' };
        expect(await milan.client.get(ShadowPod, remote)).toBeUndefined();
        expect(await milan.client.get(Pod, remote)).toBeUndefined();
      });
    });

    test('case 65: has a pod again that the provider deletes, and the pod at the consumer stays', async () => {
      const [pod] = await podsAt(rome.client, 'shop');
      const name = pod?.metadata.name ?? '';
      const remote = { namespace: 'shop-rome', name };
      const before = await milan.client.get(Pod, remote);
      await milan.client.delete(Pod, remote);
      await wait(async () => {
        const after = await milan.client.get(Pod, remote);
        expect(after && after.metadata.uid !== before?.metadata.uid).toBe(true);
      });
      const local = await rome.client.get(Pod, { namespace: 'shop', name });
      expect(local?.metadata.uid).toBe(pod?.metadata.uid);
      await runs();
    });

    test('case 37: has its VirtualNode again that a person deletes, after it has gone in order', async () => {
      const before = await rome.client.get(VirtualNode, virtualNode);
      await using watch = new TakeDownWatch(rome.client, node.name);
      await rome.client.delete(VirtualNode, virtualNode);
      await wait(async () => {
        const after = await rome.client.get(VirtualNode, virtualNode);
        expect(after && after.metadata.uid !== before?.metadata.uid).toBe(true);
      });
      expect(watch.steps).toEqual(takeDownOrder);
      await isReady();
      await runs();
    });

    /** The slice of the same provider. */
    async function lendSlice(): Promise<void> {
      const { clock } = world.kubernetes;
      const { signal } = new AbortController();
      const work = { consumer: rome, provider: milan, clock, signal };
      await obtainSlice<C>(work, {
        name: 'mypool',
        resources: { cpu: '1', memory: '1Gi', pods: '10' },
      });
      await waitForNode(rome.client, { name: 'mypool', clock });
    }

    /** Without those that are going: a NamespaceMap goes with the last virtual node, and another one comes with the next. */
    const maps = async () => {
      const { items } = await rome.client.list(NamespaceMap, { namespace: here.namespace });
      const stays = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      return stays.map(({ metadata }) => metadata.uid);
    };

    test('case 60: stands beside a slice of its provider, which can go alone', async () => {
      const before = await maps();
      expect(before).toHaveLength(1);
      await lendSlice();
      const nodeBefore = await isReady();
      expect(await maps()).toEqual(before);
      const slice = { namespace: here.namespace, name: 'mypool' };
      await rome.client.delete(ResourceSlice, slice);
      await wait(async () => {
        expect(await rome.client.get(Node, { name: 'mypool' })).toBeUndefined();
        expect(await rome.client.get(ResourceSlice, slice)).toBeUndefined();
      });
      expect((await isReady())?.metadata.uid).toBe(nodeBefore?.metadata.uid);
      expect(await maps()).toEqual(before);
      await runs();
    });

    test('case 16: is drained in order when a person refuses it, and stays refused', async () => {
      await using watch = new TakeDownWatch(rome.client, node.name);
      await decide('Refused');
      await wait(async () => expect(watch.steps).toEqual(takeDownOrder));
      await configure(milan, { outgoingConfig: { resourceSharingPercentage: 40 } });
      await wait(async () => {
        const { spec } = (await copy()) ?? {};
        expect(spec?.properties).toMatchObject({ resourceSharingPercentage: '40' });
      });
      expect(await copy()).toMatchObject({
        status: { phase: 'Refused', decision: { reason: 'RefusedManually' } },
      });
      expect(await rome.client.get(VirtualNode, virtualNode)).toBeUndefined();
    });

    test('case 40: goes in order while three pods run, and leaves nothing at the provider', async () => {
      await decide('Accepted');
      await isReady();
      await runs();
      const before = await copy();
      await using watch = new TakeDownWatch(rome.client, node.name);
      await milan.client.delete(Advertisement, there);
      await wait(async () => {
        expect(watch.steps).toEqual([...takeDownOrder, 'Advertisement gone']);
      });
      const { items } = await milan.client.list(ShadowPod);
      expect(items).toEqual([]);
      expect(await podsAt(milan.client, 'shop-rome')).toEqual([]);
      // It is offered anew, and judged anew.
      await isWaiting();
      expect((await copy())?.metadata.uid).not.toBe(before?.metadata.uid);
    });

    test('case 53: is withdrawn, user and Quota after the copy, and the Node of a slice stays', async () => {
      await decide('Accepted');
      await isReady();
      await lendSlice();
      await wait(async () => expect(await maps()).toHaveLength(1));
      const before = await maps();
      await configure(milan, { outgoingConfig: { enableBroadcaster: false } });
      await wait(async () => expect(await original()).toBeUndefined());
      expect(await copy()).toBeUndefined();
      expect(await rome.client.get(VirtualNode, virtualNode)).toBeUndefined();
      expect(await rome.client.get(Node, node)).toBeUndefined();
      await wait(async () => {
        const { items } = await milan.client.list(Quota, { namespace: there.namespace });
        const isOfSlice = ({ metadata }: Quota) =>
          metadata?.ownerReferences?.some(({ kind }) => kind === ResourceSlice.kind);
        expect(items.filter((quota) => !isOfSlice(quota))).toEqual([]);
        const secret = { namespace: there.namespace, name: 'kubeconfig-offer' };
        expect(await milan.client.get(Secret, secret)).toBeUndefined();
      });
      await waitForNode(rome.client, { name: 'mypool', clock: world.kubernetes.clock });
      expect(await maps()).toEqual(before);
      await runs();
    });

    test('is sent anew, and ends with the Tenant', async () => {
      await configure(rome, { ingoingConfig: { acceptPolicy: 'AutoAcceptMax' } });
      await configure(milan, { outgoingConfig: { enableBroadcaster: true } });
      await isReady();
      const { items } = await milan.client.list(Tenant, { namespace: there.namespace });
      const [tenant] = items;
      const drained = mergePatch({ spec: { tenantCondition: 'Drained' } });
      const key = { namespace: there.namespace, name: tenant?.metadata.name ?? '' };
      await milan.client.patch(Tenant, key, drained);
      await wait(async () => expect(await original()).toBeUndefined());
    });
  });
}
