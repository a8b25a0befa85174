import { annotations, labels, NamespaceMap } from '@liqo/api';
import { mergePatch, RoleBinding, Secret } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { isWatch } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { introduce } from '../testing/tenancy.ts';
import { startReplicationController } from './replication-controller.ts';

const patient = { timeoutMs: 30_000 };
const original = { namespace: 'liqo-tenant-milan', name: 'milan' };
const copy = { namespace: 'liqo-tenant-rome', name: 'milan' };
const secretKey = { namespace: 'liqo-tenant-milan', name: 'kubeconfig-controlplane-milan' };

let rome: TestCluster;
let milan: TestCluster;
let controller: Stoppable;

beforeAll(async () => {
  [rome, milan] = await Promise.all([startCluster('rome'), startCluster('milan')]);
  await introduce(rome, milan);
  await milan.client.create(RoleBinding, {
    metadata: { name: 'renewed', namespace: copy.namespace },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'rome-renewed' }],
  });
  const marks = { [labels.replication]: 'true', [labels.replicationDestination]: 'milan' };
  await rome.client.create(NamespaceMap, { metadata: { ...original, labels: marks }, spec: {} });
});

const group = 'rbac.authorization.k8s.io';

beforeEach(async () => {
  await setUser('rome');
  controller = startReplicationController(rome.context);
  await map('first');
});

afterEach(() => controller[Symbol.asyncDispose]());

afterAll(async () => {
  await rome[Symbol.asyncDispose]();
  await milan[Symbol.asyncDispose]();
});

async function setUser(name: string, more: object = {}): Promise<void> {
  const kubeconfig = milan.cluster.kubeconfigFor({ name, groups: [name] });
  const data = { kubeconfig: Buffer.from(kubeconfig).toString('base64') };
  await rome.client.patch(Secret, secretKey, mergePatch({ data, ...more }));
}

/** Asks for a namespace, and waits until the provider knows. */
async function map(remote: string): Promise<void> {
  const patch = mergePatch({ spec: { desiredMapping: { shop: remote } } });
  await rome.client.patch(NamespaceMap, original, patch);
  await eventually(async () => {
    const found = await milan.client.get(NamespaceMap, copy);
    expect(found?.spec?.desiredMapping).toEqual({ shop: remote });
  }, patient);
}

const watchesOf = (name: string) => milan.calls.callsOf(name).filter(isWatch);

test('a renewed key pair is used from the next request on, and no watch ends', async () => {
  const before = watchesOf('rome').length;
  await setUser('rome-renewed');
  await eventually(() => expect(milan.calls.callsOf('rome-renewed')).not.toEqual([]), patient);
  const since = milan.calls.callsOf('rome').length;
  await map('second');
  expect(watchesOf('rome-renewed')).toEqual([]);
  expect(watchesOf('rome')).toHaveLength(before);
  expect(milan.calls.callsOf('rome')).toHaveLength(since);
  const lists = milan.calls.callsOf('rome-renewed').filter(({ verb }) => verb === 'list');
  expect(lists).toEqual([]);
  // The watch that was opened as the earlier user still tells of what happens.
  await milan.client.delete(NamespaceMap, copy);
  await eventually(async () => {
    expect(await milan.client.get(NamespaceMap, copy)).toBeDefined();
  }, patient);
});

test('credentials for another place make another connection', async () => {
  milan.calls.calls.length = 0;
  await setUser('rome-renewed', {
    metadata: { annotations: { [annotations.remoteTenantNamespace]: 'elsewhere' } },
  });
  const isElsewhere = ({ path }: { path: string }) => path.includes('/elsewhere/');
  await eventually(() => {
    expect(milan.calls.callsOf('rome-renewed').filter(isElsewhere)).not.toEqual([]);
  }, patient);
  await rome.client.patch(
    Secret,
    secretKey,
    mergePatch({
      metadata: { annotations: { [annotations.remoteTenantNamespace]: copy.namespace } },
    }),
  );
  await map('third');
});
