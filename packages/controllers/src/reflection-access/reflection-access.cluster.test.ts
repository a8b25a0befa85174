import { fixedNames, labels, NamespaceMap, VirtualNode } from '@liqo/api';
import { ClusterRole, mergePatch, Namespace, RoleBinding } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { isWrite } from '@liqo/testkit/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import {
  tenantNamespace as namespace,
  prepareConsumer,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { startReflectionAccessController } from './reflection-access-controller.ts';

const patient = { timeoutMs: 30_000 };
const map = { namespace, name: 'milan' };

let rome: TestCluster;
let controller: Stoppable;

beforeAll(async () => {
  rome = await startCluster('rome');
  await prepareConsumer(rome);
  for (const name of ['shop', 'bank', 'unrelated']) {
    await rome.client.create(Namespace, { metadata: { name } });
  }
  const marks = { [labels.replication]: 'true', [labels.replicationDestination]: 'milan' };
  await rome.client.create(NamespaceMap, {
    metadata: { ...map, labels: marks },
    spec: { desiredMapping: { shop: 'shop-rome', [namespace]: 'stolen' } },
  });
  await rome.client.create(VirtualNode, virtualNodeCalled('one', { clusterID: 'milan' }));
  await rome.client.create(VirtualNode, virtualNodeCalled('far', { clusterID: 'turin' }));
  controller = startReflectionAccessController(rome.context);
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await rome[Symbol.asyncDispose]();
});

/** Who may read what is reflected, by namespace. */
async function readers(): Promise<Record<string, string[]>> {
  const { items } = await rome.client.list(RoleBinding, {
    labelSelector: `${labels.component}=virtual-kubelet`,
  });
  return Object.fromEntries(
    items.map(({ metadata, subjects = [] }) => [
      metadata.namespace ?? '',
      subjects.map(({ name }) => name),
    ]),
  );
}

async function untilReaders(expected: Record<string, string[]>): Promise<void> {
  await eventually(async () => expect(await readers()).toEqual(expected), patient);
}

const desire = (desiredMapping: Record<string, string | null>) =>
  rome.client.patch(NamespaceMap, map, mergePatch({ spec: { desiredMapping } }));

test('virtual kubelets may read in the namespaces that are offloaded to their provider, and nowhere else', async () => {
  await untilReaders({ shop: ['one'] });
  await rome.client.create(VirtualNode, virtualNodeCalled('two', { clusterID: 'milan' }));
  await desire({ bank: 'bank-rome' });
  await untilReaders({ bank: ['one', 'two'], shop: ['one', 'two'] });
  await desire({ shop: null });
  await untilReaders({ bank: ['one', 'two'] });
});

test('subjects that were added are removed, and nothing is written after that', async () => {
  const key = { namespace: 'bank', name: 'liqo-virtual-kubelet-reflection-milan' };
  const found = await rome.client.get(RoleBinding, key);
  const intruder = { kind: 'ServiceAccount', name: 'default', namespace: 'shop' };
  const subjects = [...(found?.subjects ?? []), intruder];
  if (found) await rome.client.update(RoleBinding, { ...found, subjects });
  await untilReaders({ bank: ['one', 'two'] });
  const { calls } = rome.calls;
  const writes = () => calls.filter((call) => call.who === controllersUser && isWrite(call)).length;
  const before = writes();
  await rome.client.patch(
    Namespace,
    { name: 'bank' },
    mergePatch({ metadata: { labels: { a: 'b' } } }),
  );
  await desire({ unrelated: 'unrelated-rome' });
  await untilReaders({ bank: ['one', 'two'], unrelated: ['one', 'two'] });
  expect(writes() - before).toBe(1);
});

test('a ClusterRole for custom resources is bound in the same namespaces, while it has rules', async () => {
  const bound = async () => {
    const { items } = await rome.client.list(RoleBinding);
    const custom = items.filter(({ roleRef }) => roleRef.name === fixedNames.customReflectionRole);
    return custom.map(({ metadata, subjects = [] }) => [
      metadata.namespace,
      ...subjects.map(({ name }) => name),
    ]);
  };
  const rule = { apiGroups: ['example.org'], resources: ['widgets'], verbs: ['get'] };
  const name = fixedNames.customReflectionRole;
  await rome.client.create(ClusterRole, { metadata: { name }, rules: [rule] });
  const everywhere = [
    ['bank', 'one', 'two'],
    ['unrelated', 'one', 'two'],
  ];
  await eventually(async () => expect(await bound()).toEqual(everywhere), patient);
  await rome.client.patch(ClusterRole, { name }, mergePatch({ rules: [] }));
  await eventually(async () => expect(await bound()).toEqual([]), patient);
  await rome.client.patch(ClusterRole, { name }, mergePatch({ rules: [rule] }));
  await eventually(async () => expect(await bound()).toEqual(everywhere), patient);
  await rome.client.delete(ClusterRole, { name });
  await eventually(async () => expect(await bound()).toEqual([]), patient);
});
