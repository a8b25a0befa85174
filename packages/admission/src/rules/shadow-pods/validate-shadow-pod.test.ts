import { forgeCustomResourceDefinition, Quota, Tenant } from '@liqo/api';
import { CustomResourceDefinition, type KubeObject, Namespace } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { type Informer, silentLogger, startInformer, systemClock } from '@liqo/runtime';
import { seededRandom } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdmissionRequest } from '../../review/admission-request.ts';
import { forgeRequest } from '../../testing/forge-request.ts';
import { ConsumerFacts } from './consumer-facts.ts';
import { shadowPodRule } from './validate-shadow-pod.ts';

const { signal } = new AbortController();
const random = seededRandom(1);
const tenantNamespace = 'liqo-tenant-rome';

describe('shadowPodRule', () => {
  let cluster: Minicluster;
  let namespaces: Informer<Namespace>;
  let quotas: Informer<Quota>;
  let tenants: Informer<Tenant>;

  beforeAll(async () => {
    const clock = systemClock;
    cluster = await startMinicluster({ clock, random, controllers: false, listens: false });
    const { client } = cluster;
    for (const kind of [Quota, Tenant]) {
      await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
    }
    const parts = { client, clock, random, log: silentLogger };
    const selection = { labelSelector: 'liqo.io/remote-cluster-id' };
    namespaces = startInformer({ ...parts, kind: Namespace, selection });
    quotas = startInformer({ ...parts, kind: Quota });
    tenants = startInformer({ ...parts, kind: Tenant });
    await Promise.all([namespaces.synced(), quotas.synced(), tenants.synced()]);
    await createNamespace(tenantNamespace, { 'liqo.io/tenant-namespace': 'true' });
    await createNamespace('shop-rome');
    await client.create(Tenant, {
      metadata: { name: 'rome', namespace: tenantNamespace },
      spec: { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
    });
    await createQuota('mypool', {});
    await createQuota('closed', { cordoned: true });
    await createQuota('strict', { limitsEnforcement: 'Hard' });
  });
  afterAll(async () => {
    await Promise.all([namespaces, quotas, tenants].map((one) => one[Symbol.asyncDispose]()));
    await cluster[Symbol.asyncDispose]();
  });

  async function createNamespace(name: string, more: Record<string, string> = {}): Promise<void> {
    const labels = { 'liqo.io/remote-cluster-id': 'rome', ...more };
    await cluster.client.create(Namespace, { metadata: { name, labels } });
  }

  async function createQuota(user: string, more: Partial<Quota['spec']>): Promise<void> {
    const spec = { user, resources: { cpu: '4', memory: '8Gi', pods: '10' }, ...more };
    await cluster.client.create(Quota, {
      metadata: { name: user, namespace: tenantNamespace },
      spec,
    });
  }

  const rule = (enforceQuotas = true) => {
    const { client } = cluster;
    const consumers = new ConsumerFacts({ client, namespaces, quotas, tenants });
    return shadowPodRule({ consumers, enforceQuotas });
  };

  function shadowPod(user: string, cpu: string, more: Record<string, string> = {}) {
    const resources = { requests: { cpu } };
    const labels = {
      'offloading.liqo.io/origin': 'rome',
      'liqo.io/creator-user': user,
      ...more,
    };
    return {
      metadata: { name: 'web', namespace: 'shop-rome', labels },
      spec: { pod: { containers: [{ name: 'web', image: 'nginx', resources }] } },
    };
  }

  const review = (object: KubeObject, more: Partial<AdmissionRequest> = {}) =>
    rule().review(forgeRequest(object, more), signal);

  test.each([
    ['that fits', shadowPod('mypool', '4'), 'allowed'],
    [
      'that can never fit',
      shadowPod('mypool', '5'),
      'quota mypool: cpu 0 of 4 in use (5 requested)',
    ],
    ['of a cordoned quota, which waits', shadowPod('closed', '1'), 'allowed'],
    ['without limits under Hard', shadowPod('strict', '1'), 'quota strict: limits are enforced'],
    ['of a user without a quota', shadowPod('other', '1'), '"other" has no slice at this provider'],
    ['with what is not a quantity', shadowPod('mypool', 'four'), '"four" is not a quantity'],
    [
      'with another origin',
      shadowPod('mypool', '1', { 'offloading.liqo.io/origin': 'paris' }),
      'the namespace "shop-rome" belongs to the consumer "rome"',
    ],
  ])('judges a ShadowPod %s', async (_, object, expected) => {
    for (const dryRun of [false, true]) {
      const verdict = await review(object, { dryRun });
      if (expected === 'allowed') expect(verdict).toEqual({ allowed: true });
      else expect(verdict).toMatchObject({ allowed: false, code: 403 });
      expect(verdict.allowed ? 'allowed' : verdict.message).toContain(expected);
    }
  });

  test('accepts as many as fit one by one: the controller has the others wait', async () => {
    for (let nth = 0; nth < 20; nth++) {
      expect(await review(shadowPod('mypool', '4'))).toEqual({ allowed: true });
    }
  });

  test('accepts a ShadowPod of a quota that no cache shows yet', async () => {
    await createQuota('fresh', {});
    expect(await review(shadowPod('fresh', '1'))).toEqual({ allowed: true });
  });

  test('refuses a ShadowPod in a namespace of no consumer', async () => {
    const object = shadowPod('mypool', '1');
    expect(await review(object, { namespace: 'default' })).toMatchObject({
      message: expect.stringContaining('the namespace "default" belongs to no consumer'),
    });
  });

  test('does not look at quotas that are not enforced', async () => {
    const request = forgeRequest(shadowPod('other', '100'));
    expect(await rule(false).review(request, signal)).toEqual({ allowed: true });
  });

  test('refuses another origin on update, and nothing else', async () => {
    const before = shadowPod('mypool', '1');
    const update = { operation: 'UPDATE', oldObject: before } as const;
    expect(await review(shadowPod('mypool', '100'), update)).toEqual({ allowed: true });
    const moved = shadowPod('mypool', '1', { 'offloading.liqo.io/origin': 'paris' });
    expect(await review(moved, update)).toMatchObject({ allowed: false, code: 403 });
  });
});
