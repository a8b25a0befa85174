import { Advertisement, advertisementName, labels, Quota, Tenant } from '@liqo/api';
import { mergePatch, Namespace, Node, Pod, ServiceAccount } from '@liqo/kube';
import type { ClusterSnapshot } from '@liqo/minicluster';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { generateClusterKey } from '../authentication/cluster-keys.ts';
import { Applicant } from '../testing/applicant.ts';
import { issueCertificate } from '../testing/issue-certificate.ts';
import { drawConsumer, OfferWorld, consumer as own } from '../testing/offers/offer-world.ts';
import { startOwnOfferController } from './own-offer-controller.ts';

/** The cases of the design by number, as far as they are about what a provider offers. */

const consumers = ['milan', 'naples'];

let from: ClusterSnapshot;
let world: OfferWorld;

beforeAll(async () => {
  from = await drawConsumer(consumers);
  // Loaded when it is needed first, which takes time that no virtual clock knows.
  await import('../authentication/read-identity.ts');
});

beforeEach(async () => {
  const apiServer = { address: 'https://rome.example:6443', ca: '', isTrusted: true };
  const newKey = () => generateClusterKey('ed25519');
  world = await OfferWorld.start({
    from,
    operator: (context) => startOwnOfferController(context, { apiServer, newKey }),
  });
});

afterEach(() => world[Symbol.asyncDispose]());

/** A consumer that has proved its key. */
async function admit(clusterID: string): Promise<void> {
  const applicant = new Applicant(clusterID);
  const tenant = await world.admin.create(Tenant, applicant.tenant('nonce'));
  const nowMs = world.clock.now();
  const signedCRT = await issueCertificate({
    key: applicant.key,
    name: [{ O: ['liqo.io'] }, { CN: [clusterID] }],
    notBeforeMs: nowMs,
    notAfterMs: nowMs + 86_400_000,
  });
  const patch = mergePatch({ status: { authParams: { signedCRT } } } as never);
  await world.admin.patch(Tenant, tenant.metadata, patch, { subresource: 'status' });
  await world.pass(1_000);
}

async function setNode(allocatable: Readonly<Record<string, string>>): Promise<void> {
  const key = { name: 'worker' };
  if (!(await world.admin.get(Node, key))) await world.admin.create(Node, { metadata: key });
  const conditions = [{ type: 'Ready', status: 'True' }];
  const patch = mergePatch({ status: { allocatable, conditions } } as never);
  await world.admin.patch(Node, key, patch, { subresource: 'status' });
  await world.pass(1_000);
}

async function fill(namespace: string, requests: Readonly<Record<string, string>>): Promise<void> {
  await world.admin.create(Pod, {
    metadata: { namespace, name: 'filler' },
    spec: {
      nodeName: 'worker',
      containers: [{ name: 'filler', image: 'nginx', resources: { requests: { ...requests } } }],
    },
  });
  // What is free is computed once a minute.
  await world.pass(2 * 60_000);
}

/** A namespace that was made for a consumer. */
async function createNamespaceFor(clusterID: string): Promise<string> {
  const name = `shop-${clusterID}`;
  const metadata = { name, labels: { [labels.remoteClusterID]: clusterID } };
  await world.admin.create(Namespace, { metadata });
  await world.admin.create(ServiceAccount, { metadata: { namespace: name, name: 'default' } });
  return name;
}

const enable = (outgoingConfig: object = {}) => world.configure({}, { outgoingConfig });
const offerTo = (clusterID: string) =>
  world.admin.get(Advertisement, {
    namespace: `liqo-tenant-${clusterID}`,
    name: advertisementName(own),
  });
const offered = async (clusterID: string) =>
  (await offerTo(clusterID))?.spec.resourceQuota.hard ?? {};

test('case 54: nothing is ever sent while the broadcaster is off from the start', async () => {
  await setNode({ cpu: '10' });
  await enable({ enableBroadcaster: false });
  await admit('milan');
  await world.pass(30 * 60_000);
  expect(await offerTo('milan')).toBeUndefined();
  await enable({ enableBroadcaster: true });
  await world.pass(10_000);
  expect(await offered('milan')).toEqual({ cpu: '3' });
});

test('case 56: the first offer has the configured share, and its Quota too', async () => {
  await setNode({ cpu: '10', memory: '10Gi', pods: '100' });
  await world.stopOperator();
  await enable({ resourceSharingPercentage: 50 });
  await admit('milan');
  world.startOperator();
  await world.pass(5_000);
  const hard = { cpu: '5', memory: String(5 * 2 ** 30), pods: '50' };
  expect(await offered('milan')).toEqual(hard);
  expect((await offerTo('milan'))?.metadata.generation).toBe(1);
  const { items } = await world.admin.list(Quota, { namespace: 'liqo-tenant-milan' });
  expect(items.map(({ spec }) => spec.resources)).toEqual([hard]);
});

test('case 57: of a resource of which more is used than there is, nothing is offered', async () => {
  await setNode({ cpu: '10', memory: '1Gi' });
  await enable();
  await admit('milan');
  await fill('shop', { memory: '2Gi' });
  expect(await offered('milan')).toMatchObject({ memory: '0' });
});

test('case 58: a change of 3 % is not sent, and one of 6 % is', async () => {
  await setNode({ cpu: '100' });
  await enable({ updateThresholdPercentage: 5 });
  await admit('milan');
  const before = await offerTo('milan');
  expect(before?.spec.resourceQuota.hard).toEqual({ cpu: '30' });
  await setNode({ cpu: '97' });
  await world.pass(60_000);
  expect((await offerTo('milan'))?.metadata.generation).toBe(before?.metadata.generation);
  await setNode({ cpu: '94' });
  expect(await offered('milan')).toEqual({ cpu: '28200m' });
  expect((await offerTo('milan'))?.metadata.generation).toBe(
    (before?.metadata.generation ?? 0) + 1,
  );
});

test('case 59: pods of a consumer make the offers to others smaller, and not its own', async () => {
  await setNode({ cpu: '10' });
  await enable({ resourceSharingPercentage: 50 });
  for (const clusterID of consumers) await admit(clusterID);
  expect([await offered('milan'), await offered('naples')]).toEqual([{ cpu: '5' }, { cpu: '5' }]);
  await fill(await createNamespaceFor('milan'), { cpu: '4' });
  expect([await offered('milan'), await offered('naples')]).toEqual([{ cpu: '5' }, { cpu: '3' }]);
});
