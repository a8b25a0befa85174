import { type Client, type KubeObject, Node } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdmissionRequest } from '../../review/admission-request.ts';
import { forgeFacts, tenantNamespace } from '../../testing/forge-facts.ts';
import { forgeRequest } from '../../testing/forge-request.ts';
import { say } from '../../testing/say.ts';
import { sliceRule } from './validate-resource-slice.ts';

const { signal } = new AbortController();
const namespaces = [tenantNamespace('rome')];
const copied = { 'liqo.io/replicated': 'true', 'liqo.io/remote-cluster-id': 'rome' };

let cluster: Minicluster;
let client: Client;

beforeAll(async () => {
  const options = { controllers: false, listens: false };
  cluster = await startMinicluster({ clock: systemClock, random: systemRandom, ...options });
  ({ client } = cluster);
  await client.create(Node, { metadata: { name: 'worker' } });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const slice = (metadata: object = {}, spec: object = {}) =>
  ({
    metadata: { name: 'mypool', namespace: 'liqo-tenant-rome', ...metadata },
    spec,
  }) as KubeObject;

const judge = async (
  object: KubeObject,
  more: Partial<AdmissionRequest> = {},
  facts = forgeFacts({ namespaces }),
) => {
  const rule = sliceRule({ client, ownClusterID: 'milan', facts });
  return say(await rule.review(forgeRequest(object, more), signal));
};

const consumer = { username: 'rome', groups: ['liqo.io', 'system:authenticated'] };
const consumerPod = { username: 'mypool-a8a4c692b93b', groups: ['rome'] };
const admin = { username: 'alice', groups: ['system:masters'] };

test.each([
  ['a consumer cordons', consumer, { annotations: { 'liqo.io/cordon': 'true' } }, {}, 'cordon"]'],
  ['a consumer uncordons', consumer, {}, { annotations: { 'liqo.io/cordon': 'true' } }, 'cordon"]'],
  [
    'a consumer ends the cordon of its tenant',
    consumerPod,
    { annotations: { 'liqo.io/cordon-tenant': 'false' } },
    { annotations: { 'liqo.io/cordon-tenant': 'true' } },
    'cordon-tenant"]',
  ],
  ['a consumer takes its label off', consumer, { labels: {} }, {}, 'remote-cluster-id"]'],
])('sliceRule refuses when %s', async (_, userInfo, after, before, field) => {
  const change = {
    operation: 'UPDATE',
    userInfo,
    oldObject: slice({ labels: copied, ...before }),
  } as const;
  const said = await judge(slice({ labels: copied, ...after }), change);
  expect(said).toContain(`${field}: only the provider changes it`);
});

test('sliceRule lets the provider cordon, and a consumer change what it asks for', async () => {
  const oldObject = slice({ labels: copied });
  const cordoned = slice({ labels: copied, annotations: { 'liqo.io/cordon': 'true' } });
  expect(await judge(cordoned, { operation: 'UPDATE', userInfo: admin, oldObject })).toBe(
    'allowed',
  );
  const larger = slice({ labels: copied }, { resources: { cpu: '8' } });
  const change = { operation: 'UPDATE', userInfo: consumer, oldObject } as const;
  expect(await judge(larger, change)).toBe('allowed');
});

test('sliceRule reads the Node of a name that a virtual node is wanted for', async () => {
  const annotations = { 'liqo.io/create-virtual-node': 'true' };
  expect(await judge(slice({ name: 'worker', annotations }))).toContain('the Node "worker"');
  expect(await judge(slice({ name: 'worker' }))).toBe('allowed');
});

test('sliceRule reads again what its caches refuse', async () => {
  const late = forgeFacts({ namespaces: [] }, { namespaces });
  expect(await judge(slice(), {}, late)).toBe('allowed');
});

test('sliceRule does not refuse a change of a slice for what was wrong before', async () => {
  const oldObject = slice({}, { providerClusterID: 'turin' });
  const object = slice({}, { providerClusterID: 'turin', class: 'gold' });
  expect(await judge(object, { operation: 'UPDATE', oldObject })).toBe('allowed');
  const worse = slice({}, { providerClusterID: 'turin', resources: { cpu: '-1' } });
  expect(await judge(worse, { operation: 'UPDATE', oldObject })).toContain('spec.resources[cpu]');
});

test('sliceRule is not about the status, nor about deletion', async () => {
  const negative = slice({}, { resources: { cpu: '-1' } });
  expect(await judge(negative, { subResource: 'status' })).toBe('allowed');
  expect(await judge(negative, { operation: 'DELETE' })).toBe('allowed');
});
