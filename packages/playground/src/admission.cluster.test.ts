import { Quota, ShadowPod } from '@liqo/api';
import { type Client, Deployment, mergePatch, Namespace, Pod, Secret } from '@liqo/kube';
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
const certificates = { namespace: 'liqo', name: 'liqo-webhook-certs' };

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

test('a pod of a namespace that has just got the label tolerates virtual nodes', async () => {
  await client.create(Namespace, {
    metadata: { name: 'lab', labels: { 'liqo.io/enabled': 'true' } },
  });
  const pod = forgePod('lab', 'web');
  await eventually(async () => {
    const created = await client.create(Pod, pod, { dryRun: true });
    expect(created.spec?.tolerations).toContainEqual({
      key: 'virtual-node.liqo.io/not-allowed',
      operator: 'Exists',
      effect: 'NoExecute',
    });
  });
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

test('no pod is refused while the certificates are made anew', async () => {
  const before = await client.get(Secret, certificates);
  await client.delete(Secret, certificates);
  await eventually(async () => {
    await client.create(Pod, forgePod('shop', 'other'), { dryRun: true });
    const after = await client.get(Secret, certificates);
    expect(after?.data?.ca).toBeTruthy();
    expect(after?.data?.ca).not.toBe(before?.data?.ca);
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
