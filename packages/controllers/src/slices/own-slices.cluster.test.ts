import {
  annotations,
  finalizers,
  Identity,
  labels,
  ResourceSlice,
  VirtualNode,
  type VirtualNode as VirtualNodeObject,
} from '@liqo/api';
import { mergePatch } from '@liqo/kube';
import { sliceSubject } from '@liqo/model';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ConsumerWorld,
  startConsumerWorld,
  tenantNamespace,
} from '../testing/consumer-world.ts';

const key = { namespace: tenantNamespace, name: 'mypool' };
const identityKey = { namespace: tenantNamespace, name: 'resourceslice-mypool' };

let world: ConsumerWorld;

// Loaded by the controller when it is needed, which takes real time.
beforeAll(() => import('@liqo/kube/x509'));

beforeEach(async () => {
  world = await startConsumerWorld();
  world.start();
  await world.pass(2_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const slice = () => world.rome.admin.get(ResourceSlice, key);
const identity = () => world.rome.admin.get(Identity, identityKey);
const virtualNode = () => world.rome.admin.get(VirtualNode, key);

async function ask(wish = 'true') {
  const metadata = {
    ...key,
    annotations: { [annotations.createVirtualNode]: wish },
    labels: {
      [labels.replication]: 'true',
      [labels.replicationDestination]: 'milan',
      [labels.remoteClusterID]: 'milan',
    },
  };
  await world.rome.admin.create(ResourceSlice, { metadata, spec: { class: 'default' } });
  await world.pass(2_000);
}

async function answer(status: ResourceSlice['status']) {
  const patch = mergePatch({ status } as Parameters<typeof mergePatch>[0]);
  await world.rome.admin.patch(ResourceSlice, key, patch, { subresource: 'status' });
  await world.pass(2_000);
}

const condition = (type: 'Authentication' | 'Resources', status: 'Accepted' | 'Denied') => ({
  type,
  status,
  lastTransitionTime: '2026-11-18T00:00:00Z',
});

async function grant(change: ResourceSlice['status'] = {}) {
  await answer({
    conditions: [condition('Authentication', 'Accepted'), condition('Resources', 'Accepted')],
    authParams: await world.issue({ subject: sliceSubject('mypool', 'rome') }),
    resources: { cpu: '4', pods: '110' },
    ...change,
  });
}

test('a slice gets the IDs and the same request for a certificate each time', async () => {
  await ask();
  const { spec } = (await slice()) ?? {};
  expect(spec).toMatchObject({ consumerClusterID: 'rome', providerClusterID: 'milan' });
  const csr = Buffer.from(spec?.csr ?? '', 'base64').toString();
  expect(csr).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
  await world.rome.admin.patch(ResourceSlice, key, mergePatch({ spec: { csr: 'eA==' } }));
  await world.pass(2_000);
  expect((await slice())?.spec?.csr).toBe(spec?.csr);
});

test('a slice that is granted becomes an Identity and a VirtualNode, which follow the grant', async () => {
  await ask();
  expect(await identity()).toBeUndefined();
  await grant({ nodeLabels: { zone: 'north', 'node-role.kubernetes.io/control-plane': '' } });
  expect((await identity())?.status?.kubeconfigSecretRef?.name).toBe(
    'kubeconfig-resourceslice-mypool',
  );
  const made = await virtualNode();
  expect(made?.metadata.ownerReferences).toMatchObject([{ kind: 'ResourceSlice', name: 'mypool' }]);
  expect(made?.spec).toMatchObject({
    clusterID: 'milan',
    kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
    resourceQuota: { hard: { cpu: '4', pods: '110' } },
  });
  expect(made?.spec?.labels).toEqual({ zone: 'north', [labels.remoteClusterID]: 'milan' });
  await answer({ resources: { cpu: '8', pods: '110' } });
  expect((await virtualNode())?.spec?.resourceQuota?.hard).toEqual({ cpu: '8', pods: '110' });
});

test('a slice without labels is for the provider that its namespace is about', async () => {
  const spec = { class: 'default' };
  await world.rome.admin.create(ResourceSlice, { metadata: key, spec });
  await world.pass(2_000);
  const found = await slice();
  expect(found?.metadata.labels).toEqual({
    [labels.replication]: 'true',
    [labels.replicationDestination]: 'milan',
    [labels.remoteClusterID]: 'milan',
  });
  expect(found?.spec).toMatchObject({ consumerClusterID: 'rome', providerClusterID: 'milan' });
});

test('a slice that is not to be copied is left alone', async () => {
  const metadata = { ...key, labels: { [labels.replication]: 'false' } };
  await world.rome.admin.create(ResourceSlice, { metadata, spec: {} });
  await world.pass(2_000);
  expect((await slice())?.spec).toEqual({});
});

test('a virtual node follows the grant, also when its slice asks for none any more', async () => {
  await ask();
  await grant({ storageClasses: [{ storageClassName: 'fast' }] });
  expect((await virtualNode())?.spec).toMatchObject({
    createNode: true,
    storageClasses: [{ storageClassName: 'fast' }],
  });
  const unasked = { metadata: { annotations: { [annotations.createVirtualNode]: null } } };
  await world.rome.admin.patch(ResourceSlice, key, mergePatch(unasked));
  await answer({ resources: { cpu: '8' }, storageClasses: null } as never);
  const { spec } = (await virtualNode()) ?? {};
  expect(spec?.storageClasses).toBeUndefined();
  expect(spec?.resourceQuota?.hard).toMatchObject({ cpu: '8' });
});

test('a slice that is deleted waits for its virtual node, which keeps its credentials until then', async () => {
  await ask();
  await grant();
  const held = mergePatch({ metadata: { finalizers: ['test/held'] } });
  await world.rome.admin.patch(VirtualNode, key, held);
  await world.rome.admin.delete(ResourceSlice, key);
  await world.pass(2_000);
  expect((await virtualNode())?.metadata.deletionTimestamp).toBeDefined();
  expect((await slice())?.metadata.finalizers).toEqual([finalizers.ownSlice]);
  expect(await identity()).toBeDefined();
  const released = mergePatch({ metadata: { finalizers: null } });
  await world.rome.admin.patch(VirtualNode, key, released);
  await world.pass(6_000);
  expect(await slice()).toBeUndefined();
});

test('a slice that asks for no virtual node gets an Identity only', async () => {
  await ask('false');
  await grant();
  expect(await identity()).toBeDefined();
  expect(await virtualNode()).toBeUndefined();
});

test('a slice whose authentication is denied loses its Identity', async () => {
  await ask();
  await grant();
  await answer({ conditions: [condition('Authentication', 'Denied')] });
  expect(await identity()).toBeUndefined();
});

test('a VirtualNode of a person that has the name of the slice is left alone, and named', async () => {
  const byHand: VirtualNodeObject = { metadata: key, spec: { clusterID: 'turin' } };
  await world.rome.admin.create(VirtualNode, byHand);
  await ask();
  await grant();
  expect((await virtualNode())?.spec?.clusterID).toBe('turin');
  expect(world.events.map(({ reason }) => reason)).toContain('NameTaken');
});
