import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { AdmissionRequest } from '../../review/admission-request.ts';
import { forgeFacts, tenantNamespace } from '../../testing/forge-facts.ts';
import { forgeRequest } from '../../testing/forge-request.ts';
import { say } from '../../testing/say.ts';
import { tenantLabelRule } from './mutate-tenant.ts';
import { tenantRule } from './validate-tenant.ts';

const { signal } = new AbortController();
const label = 'liqo.io/remote-cluster-id';
const namespaces = [tenantNamespace('rome'), tenantNamespace('paris')];

interface Draft {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: unknown;
  readonly spec?: object;
}

function tenant(draft: Draft = {}): KubeObject {
  const { name = 'rome', namespace = 'liqo-tenant-rome', spec = {} } = draft;
  const { labels = { [label]: 'rome' } } = draft;
  return { metadata: { name, namespace, labels }, spec: { clusterID: 'rome', ...spec } } as never;
}

test.each<[string, unknown, unknown]>([
  ['adds a missing label', {}, { [label]: 'rome' }],
  ['leaves one alone, which is checked later', { [label]: 'paris' }, { allowed: true }],
  ['refuses labels that are no map', 'x', 'metadata.labels is not a map'],
])('tenantLabelRule %s', async (_, labels, expected) => {
  const verdict = await tenantLabelRule.review(forgeRequest(tenant({ labels })), signal);
  const said = verdict.allowed ? (verdict.object?.metadata?.labels ?? verdict) : verdict.message;
  expect(said).toEqual(expected);
});

const judge = async (object: KubeObject, more: Partial<AdmissionRequest> = {}, facts = {}) => {
  const rule = tenantRule({ ownClusterID: 'milan', facts: forgeFacts({ namespaces, ...facts }) });
  return say(await rule.review(forgeRequest(object, more), signal));
};

test.each<[string, Draft, string]>([
  ['in the namespace of its consumer', {}, 'allowed'],
  [
    'in the namespace of another consumer',
    { namespace: 'liqo-tenant-paris' },
    'metadata.namespace: the tenant namespace of "rome" is "liqo-tenant-rome"',
  ],
  [
    'of a consumer without a namespace',
    { namespace: 'default', labels: { [label]: 'turin' }, spec: { clusterID: 'turin' } },
    'metadata.namespace: the namespace "default" does not have the labels',
  ],
  ['without an ID', { spec: { clusterID: undefined } }, 'spec.clusterID: it is missing'],
  ['with what is no ID', { spec: { clusterID: 'Rome/..' } }, 'spec.clusterID: is not a cluster ID'],
  ['of this cluster', { spec: { clusterID: 'milan' } }, 'spec.clusterID: "milan" is the ID of'],
  [
    'with the label of another consumer',
    { labels: { [label]: 'paris' } },
    'metadata.labels["liqo.io/remote-cluster-id"]: it is not spec.clusterID, "rome"',
  ],
  ['with labels that are no map', { labels: [] }, 'it is not spec.clusterID, "rome"'],
  ['with a proxy of another scheme', { spec: { proxyURL: 'ftp://x' } }, 'spec.proxyURL: '],
])('tenantRule judges one %s', async (_, draft, expected) => {
  expect(await judge(tenant(draft))).toContain(expected);
});

const other = (namespace: string, name: string) => ({ metadata: { namespace, name, uid: 'x' } });

test.each([
  [other('liqo-tenant-rome', 'old'), 'metadata.namespace: "liqo-tenant-rome" has the Tenant "old"'],
  [other('liqo-tenant-paris', 'rome'), 'the Tenant "liqo-tenant-paris/rome" has that name already'],
  [other('liqo-tenant-paris', 'paris'), 'allowed'],
])('tenantRule judges a second Tenant beside %j', async (rival, expected) => {
  expect(await judge(tenant(), {}, { tenants: [rival] })).toContain(expected);
});

test('tenantRule does not refuse a change of a Tenant for what was wrong before', async () => {
  const wrong = tenant({ namespace: 'liqo-tenant-paris' });
  const drained = { ...wrong, spec: { clusterID: 'rome', tenantCondition: 'Drained' } };
  const change = { operation: 'UPDATE', oldObject: wrong } as const;
  expect(await judge(drained, change)).toBe('allowed');
});

test('tenantRule reads again what its caches refuse', async () => {
  const late = forgeFacts({ namespaces: [] }, { namespaces });
  const rule = tenantRule({ ownClusterID: 'milan', facts: late });
  expect(say(await rule.review(forgeRequest(tenant()), signal))).toBe('allowed');
});
