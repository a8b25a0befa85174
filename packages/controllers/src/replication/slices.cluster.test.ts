import { labels, Renew, type Resource, ResourceSlice } from '@liqo/api';
import { CustomResourceDefinition, type Json, mergePatch, RoleBinding, Secret } from '@liqo/kube';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PeerWorld,
  secretName,
  startPeerWorld,
  tenantNamespace,
} from '../testing/peer-world.ts';

let world: PeerWorld;

beforeEach(async () => {
  world = await startPeerWorld();
  world.start();
  await world.connect();
  await pass(5_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const pass = (ms: number) => world.clock.advance(ms);
const remoteNamespace = 'liqo-tenant-rome';
const original = { namespace: tenantNamespace, name: 'mypool' };
const copy = { namespace: remoteNamespace, name: 'mypool' };
const marks = {
  [labels.replication]: 'true',
  [labels.replicationDestination]: 'milan',
  [labels.remoteClusterID]: 'milan',
};

async function createSlice(annotations: Record<string, string> = {}): Promise<void> {
  await world.rome.admin.create(ResourceSlice, {
    metadata: { ...original, labels: marks, annotations },
    spec: {
      class: 'default',
      consumerClusterID: 'rome',
      providerClusterID: 'milan',
      csr: btoa('x'),
      resources: { cpu: '2' },
    },
  });
  await pass(5_000);
}

async function answer(kind: Resource, status: object): Promise<void> {
  const patch = mergePatch({ status } as unknown as Json);
  await world.milan.admin.patch(kind, copy, patch, { subresource: 'status' });
  await pass(5_000);
}

const sliceHere = () => world.rome.admin.get(ResourceSlice, original);
const sliceThere = () => world.milan.admin.get(ResourceSlice, copy);

const accepted = {
  type: 'Authentication',
  status: 'Accepted',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'ResourceSliceAuthenticationAccepted',
  message: 'ResourceSlice authentication accepted',
};
const granted = {
  authParams: { apiServer: 'https://milan.example:6443', ca: 'Q0E=', signedCRT: 'Q1JU' },
  conditions: [accepted],
  resources: { cpu: '2', pods: '110' },
  nodeLabels: { region: 'eu' },
};

describe('a ResourceSlice for a provider', () => {
  test('is copied with the marks of a copy, and what is granted comes back', async () => {
    await createSlice();
    const there = await sliceThere();
    expect(there?.metadata.labels).toEqual({
      'liqo.io/originID': 'rome',
      'liqo.io/remote-cluster-id': 'rome',
      'liqo.io/remoteID': 'milan',
      'liqo.io/replicated': 'true',
      'liqo.io/replication': 'false',
    });
    expect(there?.spec).toEqual((await sliceHere())?.spec);
    await answer(ResourceSlice, granted);
    expect((await sliceHere())?.status).toEqual(granted);
  });

  test('follows another request, and goes with its original', async () => {
    await createSlice();
    const more = mergePatch({ spec: { resources: { cpu: '4' } } });
    await world.rome.admin.patch(ResourceSlice, original, more);
    await pass(5_000);
    expect((await sliceThere())?.spec?.resources).toEqual({ cpu: '4' });
    await world.rome.admin.delete(ResourceSlice, original);
    await pass(35_000);
    expect([await sliceThere(), await sliceHere()]).toEqual([undefined, undefined]);
  });

  test('leaves it to the provider whether it is cordoned', async () => {
    await createSlice({ 'liqo.io/cordon': 'false', 'liqo.io/cordon-tenant': 'false', note: 'x' });
    const cordon = mergePatch({ metadata: { annotations: { 'liqo.io/cordon-tenant': 'true' } } });
    await world.milan.admin.patch(ResourceSlice, copy, cordon);
    await world.rome.admin.patch(
      ResourceSlice,
      original,
      mergePatch({ spec: { resources: { cpu: '4' } } }),
    );
    await pass(5_000);
    const { annotations } = (await sliceThere())?.metadata ?? {};
    expect(annotations).toMatchObject({ 'liqo.io/cordon-tenant': 'true', note: 'x' });
    expect(annotations).not.toHaveProperty('liqo.io/cordon');
  });

  test('is created again by itself once the provider activates the tenant again', async () => {
    await createSlice();
    const key = { namespace: remoteNamespace, name: 'rome' };
    const binding = await world.milan.admin.get(RoleBinding, key);
    await world.milan.admin.delete(RoleBinding, key);
    await world.milan.admin.delete(ResourceSlice, copy);
    await pass(10 * 60_000);
    expect(await sliceThere()).toBeUndefined();
    const { apiVersion, kind, roleRef, subjects } = binding ?? {};
    await world.milan.admin.create(RoleBinding, {
      apiVersion,
      kind,
      metadata: key,
      roleRef,
      subjects,
    } as RoleBinding);
    await pass(60_000);
    expect(await sliceThere()).toBeDefined();
    await answer(ResourceSlice, granted);
    expect((await sliceHere())?.status).toEqual(granted);
  });
});

test('a Renew for a provider brings the next certificate back', async () => {
  await world.rome.admin.create(Renew, {
    metadata: { ...original, labels: marks },
    spec: { consumerClusterID: 'rome', identityType: 'ControlPlane' },
  });
  await pass(5_000);
  expect((await world.milan.admin.get(Renew, copy))?.spec).toEqual({
    consumerClusterID: 'rome',
    identityType: 'ControlPlane',
  });
  const { authParams } = granted;
  await answer(Renew, { authParams });
  expect((await world.rome.admin.get(Renew, original))?.status).toEqual({ authParams });
});

test('a kind that a cluster does not have keeps no other kind from being replicated', async () => {
  const name = 'renews.authentication.liqo.io';
  for (const { admin } of [world.rome, world.milan]) {
    await admin.delete(CustomResourceDefinition, { name });
  }
  await world.stop();
  world.start();
  await pass(30_000);
  await createSlice();
  expect(await sliceThere()).toBeDefined();
  await world.rome.admin.delete(ResourceSlice, original);
  await world.rome.admin.delete(Secret, { namespace: tenantNamespace, name: secretName });
  await pass(60_000);
  expect(await sliceThere()).toBeUndefined();
  const secret = { namespace: tenantNamespace, name: secretName };
  expect(await world.rome.admin.get(Secret, secret)).toBeUndefined();
});
