import { forgeCustomResourceDefinition, NamespaceOffloading } from '@liqo/api';
import { CustomResourceDefinition, type KubeObject, mergePatch, Namespace } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { type Informer, silentLogger, startInformer, systemClock } from '@liqo/runtime';
import { seededRandom } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgeRequest } from '../../testing/forge-request.ts';
import { podRule } from './mutate-pod.ts';

const { signal } = new AbortController();
const random = seededRandom(1);

describe('podRule', () => {
  let cluster: Minicluster;
  let offloadings: Informer<NamespaceOffloading>;

  beforeAll(async () => {
    const clock = systemClock;
    cluster = await startMinicluster({ clock, random, controllers: false, listens: false });
    const { client } = cluster;
    const definition = forgeCustomResourceDefinition(NamespaceOffloading);
    await client.create(CustomResourceDefinition, definition);
    const parts = { client, clock, random, log: silentLogger };
    offloadings = startInformer({ ...parts, kind: NamespaceOffloading });
    await offloadings.synced();
  });
  afterAll(async () => {
    await offloadings[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  const review = (object: KubeObject, more = {}) =>
    podRule({ client: cluster.client, offloadings }).review(forgeRequest(object, more), signal);
  const podIn = (namespace: string) => ({
    metadata: { name: 'web', namespace },
    spec: { containers: [] },
  });

  async function createNamespace(name: string, labels: Record<string, string> = {}): Promise<void> {
    await cluster.client.create(Namespace, { metadata: { name, labels } });
  }

  async function offload(namespace: string): Promise<void> {
    await cluster.client.create(NamespaceOffloading, {
      metadata: { name: 'offloading', namespace },
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
    });
  }

  test('follows a NamespaceOffloading that no cache shows yet', async () => {
    await createNamespace('shop');
    await offload('shop');
    expect(await review(podIn('shop'))).toMatchObject({
      allowed: true,
      object: { spec: { tolerations: [{}], affinity: { nodeAffinity: {} } } },
    });
  });

  test('follows the label of a namespace without a NamespaceOffloading', async () => {
    await createNamespace('lab', { 'liqo.io/enabled': 'true' });
    const verdict = await review(podIn('lab'));
    expect(verdict).toMatchObject({ object: { spec: { tolerations: [{}] } } });
    expect(verdict).not.toMatchObject({ object: { spec: { affinity: {} } } });
  });

  test('prefers a NamespaceOffloading to the label', async () => {
    await createNamespace('mill', { 'liqo.io/enabled': 'true' });
    await offload('mill');
    expect(await review(podIn('mill'))).toMatchObject({ object: { spec: { affinity: {} } } });
  });

  test('leaves pods alone while their namespace is taken back', async () => {
    await createNamespace('mart');
    await offload('mart');
    const key = { namespace: 'mart', name: 'offloading' };
    const held = mergePatch({ metadata: { finalizers: ['test.liqo.io/held'] } });
    await cluster.client.patch(NamespaceOffloading, key, held);
    await cluster.client.delete(NamespaceOffloading, key);
    await offloadings.waitFor(() => offloadings.get(key)?.metadata.deletionTimestamp !== undefined);
    expect(await review(podIn('mart'))).toEqual({ allowed: true });
  });

  test.each([
    ['in a namespace that is not offloaded', 'default', {}],
    ['in a namespace that is not there', 'none', {}],
    ['that is updated', 'shop', { operation: 'UPDATE' }],
    ['of which a subresource is created', 'shop', { subResource: 'eviction' }],
  ])('leaves a pod alone %s', async (_, namespace, more) => {
    expect(await review(podIn(namespace), more)).toEqual({ allowed: true });
  });

  test.each([
    ['no spec', {}],
    ['tolerations that are no list', { spec: { tolerations: 'all' } }],
    [
      'terms that are no list',
      {
        spec: {
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
        },
      },
    ],
    ['an affinity that is a number', { spec: { affinity: 1 } }],
    ['owners without a version', { metadata: { ownerReferences: [{}] }, spec: {} }],
  ])('denies a pod with %s', async (_, object) => {
    const pod = { metadata: {}, ...object } as KubeObject;
    expect(await review(pod, { namespace: 'shop' })).toMatchObject({ allowed: false, code: 400 });
  });
});
