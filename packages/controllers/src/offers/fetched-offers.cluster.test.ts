import {
  Advertisement,
  advertisementName,
  allKinds,
  ClusterConfig,
  finalizers,
  forgeCustomResourceDefinition,
  labels,
  VirtualNode,
} from '@liqo/api';
import { CustomResourceDefinition, mergePatch, Namespace, Secret } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PeerLinks } from '../peers/peer-links.ts';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { type ConsumerWorld, startConsumerWorld } from '../testing/consumer-world.ts';
import { startOfferController } from './offer-controller.ts';
import { startOfferFetchController } from './offer-fetch-controller.ts';
import { startOfferKeepalive } from './offer-keepalive.ts';

const name = advertisementName('milan');
const here = { namespace: 'liqo-tenant-milan', name };
const there = { namespace: 'liqo-tenant-rome', name };

let world: ConsumerWorld;
let milan: TestCluster;
let links: PeerLinks;
let running: Stoppable[] = [];
/** Whether the API server of milan is silent to the credentials of the offer. */
let isDead = false;

beforeEach(async () => {
  isDead = false;
  world = await startConsumerWorld();
  const { clock } = world.rome;
  milan = await startTestCluster({ clock, seed: 2 });
  for (const kind of allKinds) {
    await milan.admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await world.pass(10_000);
  await milan.admin.create(Namespace, { metadata: { name: there.namespace } });
  await world.rome.admin.create(ClusterConfig, {
    metadata: { name: 'configuration' },
    spec: {} as ClusterConfig['spec'],
  });
  links = new PeerLinks();
  links.add({
    clusterID: 'milan',
    client: milan.clientOf('rome'),
    localNamespace: here.namespace,
    remoteNamespace: there.namespace,
    endpoint: {},
    isWatching: () => true,
  });
  start();
});

afterEach(async () => {
  await stop();
  await milan[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

function start(): void {
  const connectPeer = async () => {
    if (isDead) throw new Error('there is no route');
    return milan.clientOf('offer');
  };
  const context = { ...world.context, connectPeer };
  running = [
    startTenantAccessController(context),
    startOfferController(context),
    startOfferFetchController(context, links),
    startOfferKeepalive(context),
  ];
}

async function stop(): Promise<void> {
  for (const part of running) await part[Symbol.asyncDispose]();
  running = [];
}

async function configure(advertisementConfig: object): Promise<void> {
  const patch = mergePatch({ spec: { advertisementConfig } } as never);
  await world.rome.admin.patch(ClusterConfig, { name: 'configuration' }, patch);
}

/** A virtual node takes its time to go. */
async function holdNode(isHeld: boolean): Promise<void> {
  const patch = mergePatch({ metadata: { finalizers: isHeld ? ['test/held'] : null } } as never);
  const key = { namespace: here.namespace, name: 'liqo-milan' };
  await world.rome.admin.patch(VirtualNode, key, patch);
}

const reachable = async () =>
  (await copy())?.status?.conditions?.find(({ type }) => type === 'Reachable');

function times() {
  const now = world.rome.clock.now();
  return {
    timestamp: new Date(now).toISOString(),
    timeToLive: new Date(now + 30 * 60_000).toISOString(),
  };
}

/** As the controllers of milan write it. */
async function offer(status?: Advertisement['status']): Promise<void> {
  await milan.admin.create(Advertisement, {
    metadata: {
      ...there,
      labels: { [labels.replication]: 'true', [labels.replicationDestination]: 'rome' },
      annotations: { 'liqo.io/virtual-node-name': 'control-plane' },
      finalizers: [finalizers.ownOffer],
    },
    spec: {
      providerClusterID: 'milan',
      consumerClusterID: 'rome',
      resourceQuota: { hard: { cpu: '4', pods: '10' } },
      kubeConfigRef: { name: 'kubeconfig-offer' },
      ...times(),
    },
  });
  if (status) {
    const patch = mergePatch({ status } as never);
    await milan.admin.patch(Advertisement, there, patch, { subresource: 'status' });
  }
  await milan.admin.create(Secret, {
    metadata: { namespace: there.namespace, name: 'kubeconfig-offer' },
    data: {
      kubeconfig: Buffer.from('clusters:').toString('base64'),
      privateKey: Buffer.from('key').toString('base64'),
    },
  });
  await world.pass(6_000);
}

async function refresh(): Promise<void> {
  await milan.admin.patch(Advertisement, there, mergePatch({ spec: times() }));
  await world.pass(6_000);
}

const copy = () => world.rome.admin.get(Advertisement, here);
const original = () => milan.admin.get(Advertisement, there);
const node = () =>
  world.rome.admin.get(VirtualNode, { namespace: here.namespace, name: 'liqo-milan' });

test('an offer is fetched with its kubeconfig alone, and its status is reported back', async () => {
  await offer();
  expect((await copy())?.metadata.annotations?.['liqo.io/virtual-node-name']).toBeUndefined();
  expect((await copy())?.metadata.labels).toMatchObject({ [labels.replicationOrigin]: 'milan' });
  const key = { namespace: here.namespace, name: 'kubeconfig-offer' };
  const secret = await world.rome.admin.get(Secret, key);
  expect(Object.keys(secret?.data ?? {})).toEqual(['kubeconfig']);
  expect(secret?.metadata.ownerReferences).toMatchObject([{ kind: 'Advertisement', name }]);
  expect((await original())?.status).toMatchObject({ phase: 'Accepted' });
  expect(await node()).toBeDefined();
});

test('case 34: a kubeconfig that is replaced at the provider is fetched, and the virtual node stays', async () => {
  await offer();
  const before = await node();
  const kubeconfig = Buffer.from('clusters: []').toString('base64');
  const remote = { namespace: there.namespace, name: 'kubeconfig-offer' };
  await milan.admin.patch(Secret, remote, mergePatch({ data: { kubeconfig } }));
  await refresh();
  const key = { namespace: here.namespace, name: 'kubeconfig-offer' };
  expect((await world.rome.admin.get(Secret, key))?.data?.kubeconfig).toBe(kubeconfig);
  expect((await node())?.metadata.uid).toBe(before?.metadata.uid);
});

test('case 35: the Secret belongs to the offer also after three refreshes', async () => {
  await offer();
  for (let times = 0; times < 3; times++) await refresh();
  const key = { namespace: here.namespace, name: 'kubeconfig-offer' };
  const secret = await world.rome.admin.get(Secret, key);
  const { uid } = (await copy())?.metadata ?? {};
  expect(secret?.metadata.ownerReferences).toMatchObject([{ kind: 'Advertisement', name, uid }]);
});

test('an offer that expired comes back with its next refresh, and not before', async () => {
  await offer();
  await world.pass(31 * 60_000);
  expect(await copy()).toBeUndefined();
  expect(await node()).toBeUndefined();
  await world.pass(60 * 60_000);
  expect(await copy()).toBeUndefined();
  await refresh();
  expect(await copy()).toMatchObject({ status: { phase: 'Accepted' } });
});

test('an offer that has ended does not come back after a restart, before its next refresh', async () => {
  await offer();
  await world.pass(31 * 60_000);
  expect(await copy()).toBeUndefined();
  expect((await original())?.status).toMatchObject({
    phase: 'Refused',
    decision: { reason: 'Ended' },
  });
  await stop();
  start();
  await world.pass(10 * 60_000);
  expect(await copy()).toBeUndefined();
  await refresh();
  expect(await copy()).toMatchObject({ status: { phase: 'Accepted' } });
  expect((await original())?.status).toMatchObject({ phase: 'Accepted' });
});

test('case 28: a status that the provider wrote says nothing here, and is overwritten', async () => {
  await configure({ ingoingConfig: { acceptPolicy: 'ManualAccept' } });
  await offer({ phase: 'Accepted', decision: { value: 'Accepted', source: 'Manual' } });
  const waiting = { phase: 'Pending', decision: { reason: 'WaitingManualDecision' } };
  expect((await copy())?.status).toMatchObject(waiting);
  expect((await original())?.status).toMatchObject(waiting);
  expect(await node()).toBeUndefined();
});

test('a provider that sets a withdrawal hears of it when the virtual node is gone', async () => {
  await offer();
  await holdNode(true);
  const spec = { ...times(), withdrawalTimestamp: times().timestamp };
  await milan.admin.patch(Advertisement, there, mergePatch({ spec } as never));
  await world.pass(10_000);
  expect((await copy())?.status).toMatchObject({ phase: 'Refused' });
  expect((await original())?.status?.decision?.reason).toBe('AcceptedByPolicy');
  await holdNode(false);
  await world.pass(10_000);
  expect((await original())?.status?.decision?.reason).toBe('Withdrawn');
});

test('an offer that is withdrawn is released by the consumer when its virtual node is gone', async () => {
  await offer();
  await holdNode(true);
  await milan.admin.delete(Advertisement, there);
  await world.pass(10_000);
  expect((await copy())?.metadata.deletionTimestamp).toBeDefined();
  expect((await original())?.status?.decision?.reason).not.toBe('Withdrawn');
  await holdNode(false);
  await world.pass(10_000);
  expect(await copy()).toBeUndefined();
  expect((await original())?.status?.decision?.reason).toBe('Withdrawn');
});

test('a provider that does not answer three times in a row is given up until it refreshes', async () => {
  await offer();
  const before = await copy();
  isDead = true;
  await world.pass(40_000);
  isDead = false;
  await world.pass(25_000);
  isDead = true;
  await world.pass(40_000);
  expect((await copy())?.metadata.uid).toBe(before?.metadata.uid);
  expect(await copy()).toMatchObject({ status: { phase: 'Accepted' } });
  await world.pass(60_000);
  expect(await copy()).toBeUndefined();
  expect(await node()).toBeUndefined();
  expect(world.events.map(({ reason }) => reason)).toContain('NoAnswer');
  isDead = false;
  await refresh();
  expect(await copy()).toMatchObject({ status: { phase: 'Accepted' } });
});

test('a threshold of 0 switches the probes off', async () => {
  await configure({ keepaliveThreshold: 0 });
  await offer();
  isDead = true;
  await world.pass(10 * 60_000);
  expect(await copy()).toBeDefined();
});

test('the probes go on after a restart', async () => {
  await offer();
  await stop();
  start();
  await world.pass(5_000);
  expect(await reachable()).toMatchObject({ status: 'True', reason: 'Answers' });
  isDead = true;
  await world.pass(70_000);
  expect(await copy()).toBeUndefined();
});

test('another threshold is heeded from now on', async () => {
  await offer();
  await configure({ keepaliveThreshold: 20 });
  isDead = true;
  await world.pass(5 * 60_000);
  expect(await copy()).toBeDefined();
  await configure({ keepaliveThreshold: 2 });
  await world.pass(21_000);
  expect(await copy()).toBeUndefined();
});

test('without a ClusterConfig, accepted offers are probed as by default', async () => {
  await offer();
  await world.rome.admin.delete(ClusterConfig, { name: 'configuration' });
  await world.pass(60_000);
  expect(await copy()).toBeDefined();
  isDead = true;
  await world.pass(70_000);
  expect(await copy()).toBeUndefined();
});

test('a provider that is given up is Reachable False until nothing is left, also while it drains', async () => {
  await offer();
  await holdNode(true);
  await world.rome.admin.delete(Advertisement, here);
  await world.pass(30_000);
  expect(await reachable()).toMatchObject({ status: 'True' });
  isDead = true;
  await world.pass(70_000);
  expect(await reachable()).toMatchObject({ status: 'False', reason: 'NoAnswer' });
  expect(world.events.filter(({ reason }) => reason === 'NoAnswer')).toHaveLength(1);
  await holdNode(false);
  await world.pass(10_000);
  expect(await copy()).toBeUndefined();
});

test('a provider that comes back while an offer is refused and drained is Reachable again', async () => {
  await offer();
  await holdNode(true);
  const decision = { value: 'Refused', source: 'Manual', reason: null, time: null };
  const patch = mergePatch({ status: { decision } } as never);
  await world.rome.admin.patch(Advertisement, here, patch, { subresource: 'status' });
  isDead = true;
  await world.pass(90_000);
  expect(await reachable()).toMatchObject({ status: 'False' });
  isDead = false;
  await world.pass(30_000);
  expect(await reachable()).toMatchObject({ status: 'True' });
  expect((await copy())?.metadata.deletionTimestamp).toBeUndefined();
});

test('a Secret of that name that was not made for the offer is left alone', async () => {
  const key = { namespace: here.namespace, name: 'kubeconfig-offer' };
  const kubeconfig = Buffer.from('clusters: mine').toString('base64');
  await world.rome.admin.create(Secret, { metadata: key, data: { kubeconfig } });
  await offer();
  expect((await world.rome.admin.get(Secret, key))?.data?.kubeconfig).toBe(kubeconfig);
});
