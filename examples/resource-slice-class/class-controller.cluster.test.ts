import { allKinds, forgeCustomResourceDefinition, labels, ResourceSlice, Tenant } from '@liqo/api';
import {
  CustomResourceDefinition,
  findCondition,
  mergePatch,
  Namespace,
  Node,
  Pod,
} from '@liqo/kube';
import { type Stoppable, silentLogger } from '@liqo/runtime';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startClassController } from './class-controller.ts';

let milan: TestCluster;
let controller: Stoppable;

beforeEach(async () => {
  milan = await startTestCluster({ namespaces: ['bank'] });
  for (const kind of allKinds) {
    await milan.admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await pass();
  await createNode('worker', { cpu: '6', memory: '12Gi', pods: '110' });
  const { admin: client, clock, random } = milan;
  controller = startClassController({
    className: 'fair-share',
    client,
    clock,
    random,
    log: silentLogger,
  });
});

afterEach(async () => {
  await controller[Symbol.asyncDispose]();
  await milan[Symbol.asyncDispose]();
});

const pass = () => milan.clock.advance(5_000);

async function createNode(name: string, allocatable: Record<string, string>, marks = {}) {
  await milan.admin.create(Node, { metadata: { name, labels: marks }, spec: {} });
  const conditions = [{ type: 'Ready', status: 'True' }];
  const patch = mergePatch({ status: { allocatable, capacity: allocatable, conditions } });
  await milan.admin.patch(Node, { name }, patch, { subresource: 'status' });
}

/** A consumer with a Tenant. */
async function admit(consumer: string) {
  const namespace = `liqo-tenant-${consumer}`;
  await milan.admin.create(Namespace, { metadata: { name: namespace } });
  const spec = {
    clusterID: consumer,
    authzPolicy: 'TolerateNoHandshake',
    tenantCondition: 'Active',
  } as const;
  await milan.admin.create(Tenant, { metadata: { namespace, name: consumer }, spec });
}

/** A slice that Liqo has authenticated. */
async function ask(consumer: string, resources: Record<string, string>, className = 'fair-share') {
  const key = { namespace: `liqo-tenant-${consumer}`, name: 'mypool' };
  const marks = { [labels.replicated]: 'true', [labels.replicationOrigin]: consumer };
  await milan.admin.create(ResourceSlice, {
    metadata: { ...key, labels: marks },
    spec: { class: className, resources },
  });
  const condition = { type: 'Authentication', status: 'Accepted', message: 'by Liqo' } as const;
  const patch = mergePatch({ status: { conditions: [condition] } });
  await milan.admin.patch(ResourceSlice, key, patch, { subresource: 'status' });
  await pass();
}

async function statusOf(consumer: string) {
  const key = { namespace: `liqo-tenant-${consumer}`, name: 'mypool' };
  return (await milan.admin.get(ResourceSlice, key))?.status;
}

async function granted(consumer: string) {
  return (await statusOf(consumer))?.resources;
}

test('a slice is granted what is free, and Liqo’s condition is left alone', async () => {
  await admit('rome');
  await ask('rome', { cpu: '4' });
  const status = await statusOf('rome');
  expect(status?.resources).toEqual({ cpu: '4', memory: '12Gi', pods: '110' });
  expect(status?.conditions).toMatchObject([
    { type: 'Authentication', message: 'by Liqo' },
    {
      type: 'Resources',
      status: 'Accepted',
      reason: 'FairShare',
      message: expect.stringContaining('cpu 4 of 6 free (4 asked for)'),
    },
  ]);
});

test('shares are computed anew when consumers come and go', async () => {
  await admit('rome');
  await ask('rome', { cpu: '6' });
  await admit('oslo');
  await ask('oslo', { cpu: '6' });
  expect(await granted('rome')).toMatchObject({ cpu: '3' });
  expect(await granted('oslo')).toMatchObject({ cpu: '3' });
  await milan.admin.delete(ResourceSlice, { namespace: 'liqo-tenant-oslo', name: 'mypool' });
  await pass();
  expect(await granted('rome')).toMatchObject({ cpu: '6' });
});

test('what runs here for others is not lent, nor are virtual nodes', async () => {
  await createNode(
    'virtual',
    { cpu: '100', memory: '1Ti', pods: '10' },
    { [labels.type]: 'virtual-node' },
  );
  const resources = { requests: { cpu: '2', memory: '2Gi' } };
  await milan.admin.create(Pod, {
    metadata: { namespace: 'bank', name: 'vault' },
    spec: { nodeName: 'worker', containers: [{ name: 'vault', image: 'vault', resources }] },
  });
  await admit('rome');
  await ask('rome', {});
  expect(await granted('rome')).toEqual({ cpu: '4', memory: '10Gi', pods: '109' });
});

test('a slice is denied when nothing is free, and granted when something is', async () => {
  await admit('rome');
  await milan.admin.patch(Node, { name: 'worker' }, mergePatch({ spec: { unschedulable: true } }));
  await ask('rome', {});
  const decision = findCondition((await statusOf('rome'))?.conditions, 'Resources');
  expect(decision).toMatchObject({ status: 'Denied', reason: 'NothingFree' });
  await milan.admin.patch(Node, { name: 'worker' }, mergePatch({ spec: { unschedulable: null } }));
  await pass();
  expect(await granted('rome')).toMatchObject({ cpu: '6' });
});

test('slices of other classes, and of consumers that are cordoned, are left alone', async () => {
  await admit('rome');
  await ask('rome', {}, 'default');
  expect(await granted('rome')).toBeUndefined();
  await admit('oslo');
  const key = { namespace: 'liqo-tenant-oslo', name: 'oslo' };
  await milan.admin.patch(Tenant, key, mergePatch({ spec: { tenantCondition: 'Cordoned' } }));
  await ask('oslo', {});
  expect(await granted('oslo')).toBeUndefined();
});
