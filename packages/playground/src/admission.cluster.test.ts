import {
  ForeignCluster,
  NamespaceOffloading,
  Quota,
  ResourceSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import { type Client, Deployment, mergePatch, Namespace, Pod } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import type { Kubernetes } from './kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

let kubernetes: Kubernetes<Minicluster>;
let world: World<Minicluster>;
let client: Client;

const webhook = { namespace: 'liqo', name: 'liqo-webhook' };
const patient = { timeoutMs: 60_000 };

beforeAll(async () => {
  kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
  world = await startWorld({
    kubernetes,
    consumer: 'rome',
    providers: ['milan'],
    virtualNodes: [{ name: 'north', provider: 'milan' }],
    offloaded: ['shop'],
  });
  client = world.cluster('rome').client;
});

afterAll(() => world?.[Symbol.asyncDispose]());

const forgePod = (namespace: string, name: string) => ({
  metadata: { namespace, name },
  spec: { containers: [], ...kubernetes.website.spec },
});

test('a plain pod of an offloaded namespace runs at the provider, by the stock scheduler', async () => {
  await client.create(Pod, forgePod('shop', 'web'));
  await eventually(async () => {
    expect(await client.get(Pod, { namespace: 'shop', name: 'web' })).toMatchObject({
      spec: { nodeName: 'north' },
      status: { phase: 'Running' },
    });
  });
  const { client: milan } = world.cluster('milan');
  expect(await milan.get(Pod, { namespace: 'shop-rome', name: 'web' })).toBeDefined();
});

test('case 62 of offers: pods tolerate virtual nodes from the label of their namespace on, beside what they tolerate themselves', async () => {
  const own = { key: 'team', operator: 'Exists' };
  const pod = { ...forgePod('lab', 'web') };
  const tolerant = { ...pod, spec: { ...pod.spec, tolerations: [own] } };
  await client.create(Namespace, { metadata: { name: 'lab' } });
  await eventually(() => client.create(Pod, tolerant));
  const marks = mergePatch({ metadata: { labels: { 'liqo.io/enabled': 'true' } } });
  await client.patch(Namespace, { name: 'lab' }, marks);
  const later = { ...tolerant, metadata: { namespace: 'lab', name: 'later' } };
  const ours = {
    key: 'virtual-node.liqo.io/not-allowed',
    operator: 'Exists',
    effect: 'NoExecute',
  };
  await eventually(async () => {
    const created = await client.create(Pod, later, { dryRun: true });
    expect(created.spec?.tolerations).toEqual(expect.arrayContaining([own, ours]));
  });
  const early = await client.get(Pod, { namespace: 'lab', name: 'web' });
  expect(early?.spec?.tolerations).not.toContainEqual(ours);
});

test('a ShadowPod is charged to the user of its request, whatever it says', async () => {
  const { client: milan } = world.cluster('milan');
  const key = { namespace: 'shop-rome', name: 'web' };
  const [quota] = (await milan.list(Quota, { namespace: 'liqo-tenant-rome' })).items;
  const offloaded = await milan.get(ShadowPod, key);
  expect(offloaded?.metadata.labels?.['liqo.io/creator-user']).toBe(quota?.spec.user);
  const metadata = {
    namespace: 'shop-rome',
    name: 'forged',
    labels: offloaded?.metadata.labels ?? {},
  };
  const spec = offloaded?.spec ?? {};
  await expect(milan.create(ShadowPod, { metadata, spec }, { dryRun: true })).rejects.toThrow(
    'denied the request: "kubernetes-admin" has no slice at this provider',
  );
  const labels = { 'liqo.io/creator-user': 'kubernetes-admin' };
  const renamed = await milan.patch(ShadowPod, key, mergePatch({ metadata: { labels } }));
  expect(renamed.metadata.labels).toEqual(offloaded?.metadata.labels);
});

const tenantNamespace = 'liqo-tenant-milan';
const wantsNode = { 'liqo.io/create-virtual-node': 'true' };
const refused = (creation: Promise<unknown>, message: string) =>
  expect(creation).rejects.toThrow(message);

test('a ResourceSlice for an unknown provider, or with a name that is taken, is refused at once', async () => {
  const ask = (metadata: object, spec: object) =>
    client.create(
      ResourceSlice,
      { metadata: { namespace: tenantNamespace, name: 'mypool', ...metadata }, spec },
      { dryRun: true },
    );
  await ask({}, { class: 'default', resources: { cpu: '4' } });
  await refused(
    ask({}, { providerClusterID: 'turin' }),
    'denied the request: spec.providerClusterID: "turin" is not the provider of this namespace',
  );
  const taken = { name: 'rome-1', annotations: wantsNode };
  await refused(ask(taken, {}), 'metadata.name: the Node "rome-1" has the name already');
  await refused(ask({}, { resources: { cpu: '-1' } }), 'spec.resources');
});

test('a VirtualNode that no Node can be made of is refused at once', async () => {
  const lend = (name: string, spec: object) =>
    client.create(
      VirtualNode,
      { metadata: { namespace: tenantNamespace, name }, spec },
      { dryRun: true },
    );
  await lend('south', { clusterID: 'milan' });
  await refused(lend('rome-1', { clusterID: 'milan' }), 'there is a Node "rome-1" already');
  await refused(lend('south', { clusterID: 'turin' }), 'spec.clusterID: the namespace');
});

test('a second Tenant of a consumer is refused, unless an administrator has it skipped', async () => {
  const { client: milan } = world.cluster('milan');
  const add = (labels: Record<string, string>) =>
    milan.create(
      Tenant,
      {
        metadata: { namespace: 'liqo-tenant-rome', name: 'another', labels },
        spec: { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
      },
      { dryRun: true },
    );
  await refused(add({}), 'metadata.namespace: "liqo-tenant-rome" has the Tenant');
  const skipped = await add({ 'liqo.io/webhook-skip': 'true' });
  expect(skipped.metadata.labels).toEqual({ 'liqo.io/webhook-skip': 'true' });
});

test('a ForeignCluster has the label of its cluster, whatever was written', async () => {
  const labels = { 'liqo.io/remote-cluster-id': 'oslo' };
  const created = await client.create(
    ForeignCluster,
    { metadata: { name: 'turin', labels }, spec: { clusterID: 'turin' } },
    { dryRun: true },
  );
  expect(created.metadata.labels).toEqual({ 'liqo.io/remote-cluster-id': 'turin' });
});

test('a NamespaceOffloading with a name of its own is refused', async () => {
  const spec = {
    namespaceMappingStrategy: 'DefaultName',
    podOffloadingStrategy: 'LocalAndRemote',
  } as const;
  const creation = client.create(NamespaceOffloading, {
    metadata: { namespace: 'default', name: 'mine' },
    spec,
  });
  await refused(creation, 'metadata.name: a namespace has one NamespaceOffloading, "offloading"');
});

test('a pod of the RuntimeClass liqo is for virtual nodes, in any namespace', async () => {
  const pod = forgePod('default', 'far');
  const spec = { ...pod.spec, runtimeClassName: 'liqo' };
  const created = await client.create(Pod, { ...pod, spec }, { dryRun: true });
  expect(created.spec).toMatchObject({
    nodeSelector: { 'liqo.io/type': 'virtual-node' },
    tolerations: expect.arrayContaining([
      expect.objectContaining({ key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' }),
    ]),
  });
});

test('without webhooks the pods of offloaded namespaces are refused, and no others', async () => {
  const scale = await client.getScale(Deployment, webhook);
  await client.updateScale(Deployment, webhook, { ...scale, spec: { replicas: 0 } });
  await eventually(async () => {
    await expect(client.create(Pod, forgePod('shop', 'late'), { dryRun: true })).rejects.toThrow(
      'failed calling webhook "pod.mutate.liqo.io"',
    );
  });
  await client.create(Pod, forgePod('default', 'late'), { dryRun: true });
});

test('without webhooks the controllers make what a slice asks for, and take it down', async () => {
  const slice = { namespace: tenantNamespace, name: 'north' };
  const byUser = client.patch(ResourceSlice, slice, mergePatch({ spec: { class: 'gold' } }));
  await refused(byUser, 'failed calling webhook "resourceslice.validate.liqo.io"');
  const before = await client.get(VirtualNode, slice);
  await client.delete(VirtualNode, slice);
  await eventually(async () => {
    const made = await client.get(VirtualNode, slice);
    expect(made?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(made).toBeDefined();
  }, patient);
  await client.delete(ResourceSlice, slice);
  await eventually(async () => {
    expect(await client.get(ResourceSlice, slice)).toBeUndefined();
    expect(await client.get(VirtualNode, slice)).toBeUndefined();
  }, patient);
});
