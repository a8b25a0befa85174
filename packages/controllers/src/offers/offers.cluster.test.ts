import {
  Advertisement,
  advertisementName,
  ClusterConfig,
  Configuration,
  ForeignCluster,
  finalizers,
  labels,
  ResourceSlice,
  VirtualNode,
} from '@liqo/api';
import { mergePatch, Namespace, Secret } from '@liqo/kube';
import { forgeTenantNamespace } from '@liqo/model';
import type { Stoppable } from '@liqo/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { type ConsumerWorld, startConsumerWorld } from '../testing/consumer-world.ts';
import { startOfferController } from './offer-controller.ts';

type Spec = Advertisement['spec'];
type Ingoing = Partial<ClusterConfig['spec']['advertisementConfig']['ingoingConfig']>;

let world: ConsumerWorld;
let running: Stoppable[] = [];

const admin = () => world.rome.admin;
const keyOf = (provider: string) => ({
  namespace: `liqo-tenant-${provider}`,
  name: advertisementName(provider),
});
const nodeKeyOf = (provider: string) => ({
  namespace: `liqo-tenant-${provider}`,
  name: `liqo-${provider}`,
});

beforeEach(async () => {
  world = await startConsumerWorld();
  start();
  await world.pass(1_000);
});

afterEach(async () => {
  await stop();
  await world[Symbol.asyncDispose]();
});

function start(): void {
  const connectPeer = async (text: string) => {
    if (!text.includes('clusters:')) throw new Error('it is not a kubeconfig');
    return world.rome.clientOf('peer');
  };
  const context = { ...world.context, connectPeer };
  running = [startTenantAccessController(context), startOfferController(context)];
}

async function stop(): Promise<void> {
  for (const part of running) await part[Symbol.asyncDispose]();
  running = [];
}

async function configure(ingoingConfig: Ingoing = {}, more: object = {}): Promise<void> {
  const key = { name: 'configuration' };
  const spec = { advertisementConfig: { ingoingConfig, ...more } } as ClusterConfig['spec'];
  const existing = await admin().get(ClusterConfig, key);
  if (existing) {
    await admin().patch(ClusterConfig, key, mergePatch({ spec } as never));
  } else {
    await admin().create(ClusterConfig, { metadata: key, spec });
  }
  await world.pass(1_000);
}

async function meet(...providers: string[]): Promise<void> {
  for (const provider of providers) {
    const key = { name: `liqo-tenant-${provider}` };
    if (await admin().get(Namespace, key)) continue;
    await admin().create(Namespace, forgeTenantNamespace(provider));
  }
  await world.pass(1_000);
}

async function lend(provider: string): Promise<void> {
  const metadata = {
    namespace: `liqo-tenant-${provider}`,
    name: 'kubeconfig-offer',
    labels: { [labels.remoteClusterID]: provider },
  };
  const kubeconfig = Buffer.from('clusters:').toString('base64');
  await admin().create(Secret, { metadata, data: { kubeconfig } });
}

async function publish(provider: string, spec: Partial<Spec> = {}): Promise<void> {
  const now = world.rome.clock.now();
  await admin().create(Advertisement, {
    metadata: {
      ...keyOf(provider),
      labels: { [labels.replicated]: 'true', [labels.replicationOrigin]: provider },
    },
    spec: {
      providerClusterID: provider,
      consumerClusterID: 'rome',
      resourceQuota: { hard: { cpu: '4', memory: '8Gi', pods: '110' } },
      kubeConfigRef: { name: 'kubeconfig-offer' },
      ...validFrom(now),
      ...spec,
    },
  });
  // Creation times have seconds.
  await world.pass(1_000);
}

function validFrom(ms: number) {
  return {
    timestamp: new Date(ms).toISOString(),
    timeToLive: new Date(ms + 30 * 60_000).toISOString(),
  };
}

/** With the Secret, in the tenant namespace of the provider. */
async function offer(...providers: string[]): Promise<void> {
  await meet(...providers);
  for (const provider of providers) {
    await lend(provider);
    await publish(provider);
  }
}

async function refresh(provider: string, spec: Partial<Spec> = {}): Promise<void> {
  const change = { ...validFrom(world.rome.clock.now()), ...spec };
  await admin().patch(Advertisement, keyOf(provider), mergePatch({ spec: change } as never));
  await world.pass(1_000);
}

async function decide(provider: string, value: 'Accepted' | 'Pending' | 'Refused') {
  const decision = { value, source: 'Manual', reason: null, time: null };
  const patch = mergePatch({ status: { decision } } as never);
  await admin().patch(Advertisement, keyOf(provider), patch, { subresource: 'status' });
  await world.pass(1_000);
}

const found = (provider: string) => admin().get(Advertisement, keyOf(provider));
const reason = async (provider: string) => (await found(provider))?.status?.decision?.reason;
const phase = async (provider: string) => (await found(provider))?.status?.phase;
const node = (provider: string) => admin().get(VirtualNode, nodeKeyOf(provider));
const condition = async (provider: string, type: string) =>
  (await found(provider))?.status?.conditions?.find((one) => one.type === type);

async function hold(provider: string, held: boolean): Promise<void> {
  const metadata = { finalizers: held ? ['test/held'] : null };
  await admin().patch(VirtualNode, nodeKeyOf(provider), mergePatch({ metadata } as never));
}

describe('an Advertisement', () => {
  test('that is accepted becomes a VirtualNode with the Secret of the provider', async () => {
    await configure();
    await offer('milan');
    const accepted = await found('milan');
    expect(accepted?.status).toMatchObject({
      phase: 'Accepted',
      decision: { value: 'Accepted', source: 'Policy', reason: 'AcceptedByPolicy' },
      virtualNodeRef: { name: 'liqo-milan' },
    });
    expect(accepted?.metadata.finalizers).toEqual([finalizers.advertisement]);
    const made = await node('milan');
    expect(made?.spec).toMatchObject({
      clusterID: 'milan',
      kubeconfigSecretRef: { name: 'kubeconfig-offer' },
      resourceQuota: { hard: { cpu: '4', memory: '8Gi', pods: '110' } },
    });
    expect(made?.metadata.ownerReferences).toMatchObject([{ kind: 'Advertisement' }]);
    expect(await condition('milan', 'NetworkReady')).toMatchObject({ reason: 'NoNetworkModule' });
  });

  test('waits for a ClusterConfig, and is judged when there is one', async () => {
    await offer('milan');
    expect(await reason('milan')).toBe('NoConfiguration');
    await configure();
    expect(await reason('milan')).toBe('AcceptedByPolicy');
    await admin().delete(ClusterConfig, { name: 'configuration' });
    await offer('turin');
    expect([await reason('milan'), await reason('turin')]).toEqual([
      'AcceptedByPolicy',
      'NoConfiguration',
    ]);
    expect(await node('milan')).toBeDefined();
  });

  test('waits for the remapping of the network, and no longer once it is published', async () => {
    await configure();
    await meet('milan');
    const key = { namespace: 'liqo-tenant-milan', name: 'milan' };
    await admin().create(Configuration, { metadata: key, spec: {} });
    await offer('milan');
    expect(await phase('milan')).toBe('Accepted');
    expect(await node('milan')).toBeUndefined();
    expect(await condition('milan', 'NetworkReady')).toMatchObject({
      status: 'False',
      reason: 'WaitingForNetwork',
    });
    const status = { remote: { cidr: { pod: ['10.80.0.0/16'] } } };
    const patch = mergePatch({ status } as never);
    await admin().patch(Configuration, key, patch, { subresource: 'status' });
    await world.pass(1_000);
    expect(await node('milan')).toBeDefined();
  });

  test('waits for its Secret', async () => {
    await configure();
    await meet('milan');
    await publish('milan');
    expect(await condition('milan', 'CredentialsReady')).toMatchObject({ reason: 'NoKubeconfig' });
    expect(await node('milan')).toBeUndefined();
    await lend('milan');
    await world.pass(1_000);
    expect(await condition('milan', 'CredentialsReady')).toMatchObject({ status: 'True' });
    expect(await node('milan')).toBeDefined();
  });

  test('takes what a refresh changes to its VirtualNode, also what is gone', async () => {
    await configure();
    await meet('milan');
    await lend('milan');
    await publish('milan', {
      resourceQuota: { hard: { cpu: '4', 'nvidia.com/gpu': '1' } },
      labels: { zone: 'north', 'node-role.kubernetes.io/control-plane': '' },
    });
    expect((await node('milan'))?.spec.labels).toEqual({
      zone: 'north',
      [labels.remoteClusterID]: 'milan',
    });
    const hard = { cpu: '8', 'nvidia.com/gpu': null };
    await refresh('milan', { resourceQuota: { hard }, labels: { zone: null } } as never);
    const made = await node('milan');
    expect(made?.spec.resourceQuota?.hard).toEqual({ cpu: '8' });
    expect(made?.spec.labels).toEqual({ [labels.remoteClusterID]: 'milan' });
  });

  test('keeps its VirtualNode as it is when a refresh cannot be used', async () => {
    await configure();
    await offer('milan');
    await refresh('milan', { resourceQuota: { hard: { pods: '1', 'no name!': '1' } } });
    expect(await phase('milan')).toBe('Accepted');
    expect(await condition('milan', 'SpecApplied')).toMatchObject({
      status: 'False',
      reason: 'InvalidResources',
    });
    expect((await node('milan'))?.spec.resourceQuota?.hard).toMatchObject({ pods: '110' });
  });

  test('has its VirtualNode made again as it was before a refresh that cannot be used', async () => {
    await configure();
    await offer('milan');
    const hard = { cpu: null, memory: null, pods: null, 'no name!': '1' };
    await refresh('milan', { resourceQuota: { hard } as never, labels: { zone: 'new' } });
    await stop();
    await admin().delete(VirtualNode, nodeKeyOf('milan'));
    start();
    await world.pass(2_000);
    const made = await node('milan');
    expect(made?.spec.resourceQuota?.hard).toEqual({ cpu: '4', memory: '8Gi', pods: '110' });
    expect(made?.spec.labels).toEqual({ [labels.remoteClusterID]: 'milan' });
    expect(await condition('milan', 'SpecApplied')).toMatchObject({ status: 'False' });
  });

  test('keeps its VirtualNode when the network goes, and says so', async () => {
    await configure();
    await offer('milan');
    const key = { namespace: 'liqo-tenant-milan', name: 'milan' };
    const remote = { cidr: { pod: ['10.200.0.0/16'] } };
    await admin().create(Configuration, { metadata: key, spec: { remote } });
    await world.pass(1_000);
    expect(await condition('milan', 'NetworkReady')).toMatchObject({ status: 'False' });
    expect((await node('milan'))?.metadata.deletionTimestamp).toBeUndefined();
    // Nothing to remap: the range is that of the provider itself.
    const patch = mergePatch({ status: { remote } } as never);
    await admin().patch(Configuration, key, patch, { subresource: 'status' });
    await world.pass(1_000);
    expect(await condition('milan', 'NetworkReady')).toMatchObject({
      reason: 'RemappingPublished',
    });
    await admin().delete(Configuration, key);
    await world.pass(1_000);
    expect(await condition('milan', 'NetworkReady')).toMatchObject({ reason: 'NoNetworkModule' });
    expect((await node('milan'))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('waits for the Configuration of a peer that has a gateway already', async () => {
    await configure();
    const modules = {
      networking: { enabled: true },
      authentication: { enabled: false },
      offloading: { enabled: false },
    };
    await admin().create(ForeignCluster, {
      metadata: { name: 'milan' },
      spec: { clusterID: 'milan' },
    });
    const patch = mergePatch({ status: { modules } } as never);
    await admin().patch(ForeignCluster, { name: 'milan' }, patch, { subresource: 'status' });
    await offer('milan');
    expect(await condition('milan', 'NetworkReady')).toMatchObject({ reason: 'WaitingForNetwork' });
    expect(await node('milan')).toBeUndefined();
    const none = mergePatch({ status: { modules: { networking: { enabled: false } } } } as never);
    await admin().patch(ForeignCluster, { name: 'milan' }, none, { subresource: 'status' });
    await world.pass(1_000);
    expect(await node('milan')).toBeDefined();
  });

  test('has its VirtualNode made again when a person deletes it', async () => {
    await configure();
    await offer('milan');
    const before = await node('milan');
    await admin().delete(VirtualNode, nodeKeyOf('milan'));
    await world.pass(1_000);
    const after = await node('milan');
    expect(after).toBeDefined();
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  test('says so when a VirtualNode of a slice has its name, until that is gone', async () => {
    await configure();
    await meet('milan');
    const owner = { apiVersion: 'authentication.liqo.io/v1beta1', kind: ResourceSlice.kind };
    const ownerReferences = [{ ...owner, name: 'liqo-milan', uid: 'of-the-slice' }];
    const metadata = { ...nodeKeyOf('milan'), ownerReferences };
    await admin().create(VirtualNode, { metadata, spec: { clusterID: 'milan' } });
    await offer('milan');
    expect(await condition('milan', 'VirtualNodeReady')).toMatchObject({ reason: 'NameConflict' });
    await admin().delete(VirtualNode, nodeKeyOf('milan'));
    await world.pass(1_000);
    expect(await found('milan')).toMatchObject({ status: { virtualNodeRef: {} } });
  });
});

describe('an Advertisement goes', () => {
  test('after its VirtualNode, when it is deleted', async () => {
    await configure();
    await offer('milan');
    await hold('milan', true);
    await admin().delete(Advertisement, keyOf('milan'));
    await world.pass(2_000);
    expect((await node('milan'))?.metadata.deletionTimestamp).toBeDefined();
    expect(await found('milan')).toBeDefined();
    await hold('milan', false);
    await world.pass(6_000);
    expect(await found('milan')).toBeUndefined();
  });

  test('when it is not refreshed, and not before', async () => {
    await configure();
    await offer('milan', 'turin');
    await decide('turin', 'Refused');
    await world.pass(29 * 60_000);
    await refresh('milan');
    expect(await found('turin')).toBeDefined();
    await world.pass(2 * 60_000);
    expect(await found('turin')).toBeUndefined();
    expect(await found('milan')).toBeDefined();
    await world.pass(29 * 60_000);
    expect(await found('milan')).toBeUndefined();
    expect(await node('milan')).toBeUndefined();
    const expired = world.events.filter((event) => event.reason === 'Expired');
    expect(expired.map(({ regarding }) => regarding.metadata?.name)).toEqual([
      'advertisement-turin',
      'advertisement-milan',
    ]);
  });

  test('and makes room for the oldest one that was refused', async () => {
    await configure({ maxAcceptableAdvertisements: 1 });
    await offer('milan', 'turin', 'naples');
    expect([await phase('turin'), await phase('naples')]).toEqual(['Refused', 'Refused']);
    await admin().delete(Advertisement, keyOf('milan'));
    await world.pass(6_000);
    expect([await phase('turin'), await phase('naples')]).toEqual(['Accepted', 'Refused']);
    expect(await node('turin')).toBeDefined();
  });
});

describe('a decision', () => {
  test('of a person removes the VirtualNode of an accepted offer, and keeps the offer', async () => {
    await configure();
    await offer('milan');
    await decide('milan', 'Refused');
    await world.pass(6_000);
    expect(await node('milan')).toBeUndefined();
    expect((await found('milan'))?.metadata.finalizers).toBeUndefined();
    await refresh('milan');
    expect(await reason('milan')).toBe('RefusedManually');
    await decide('milan', 'Accepted');
    expect(await reason('milan')).toBe('AcceptedManually');
    expect(await node('milan')).toBeDefined();
  });

  test('about a withdrawal removes the VirtualNode and frees the place', async () => {
    await configure({ maxAcceptableAdvertisements: 1 });
    await offer('milan', 'turin');
    await refresh('milan', { withdrawalTimestamp: '2026-11-19T10:00:00Z' });
    await world.pass(6_000);
    expect(await node('milan')).toBeUndefined();
    expect([await phase('milan'), await reason('milan')]).toEqual(['Refused', 'Withdrawn']);
    expect((await found('milan'))?.metadata.finalizers).toBeUndefined();
    expect(await phase('turin')).toBe('Accepted');
  });

  test('against an accepted provider is an Event, and no more', async () => {
    await configure();
    await offer('milan');
    await configure({ deniedClusterIDs: ['milan'] });
    expect([await phase('milan'), await reason('milan')]).toEqual(['Accepted', 'PolicyViolation']);
    expect(await node('milan')).toBeDefined();
    for (let label = 0; label < 10; label++) {
      const metadata = { labels: { label: String(label) } };
      await admin().patch(ClusterConfig, { name: 'configuration' }, mergePatch({ metadata }));
    }
    await refresh('milan');
    const reasons = world.events.map((event) => event.reason);
    expect(reasons).toEqual(['AcceptedByPolicy', 'PolicyViolation']);
  });

  test('never accepts more than the maximum of those that arrive at once', async () => {
    const providers = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await configure({ maxAcceptableAdvertisements: 5 });
    await stop();
    await meet(...providers);
    for (const provider of providers) await publish(provider);
    start();
    await world.pass(3_000);
    const all = await Promise.all(providers.map(phase));
    expect(all.filter((one) => one === 'Accepted')).toHaveLength(5);
  });
});
