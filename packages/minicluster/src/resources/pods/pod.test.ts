import type { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { Item } from '../../store/collection.ts';
import { create, resourcesByName, update } from '../testing/written-object.ts';

function podResource() {
  const resource = resourcesByName().get('pods');
  if (!resource) throw new Error('Cannot test pods: they are not served');
  return resource;
}

const resource = podResource();
const minimal: Pod = {
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
};

function gracePeriod(pod: Pod, asked?: number): number | undefined {
  return resource.strategy.gracePeriodSeconds?.(pod as Item, asked);
}

const running: Pod = {
  metadata: { name: 'a' },
  spec: { containers: [], nodeName: 'n', terminationGracePeriodSeconds: 45 },
  status: { phase: 'Running' },
};

test('pods() gives a pod on a node the time it asks for, unless the deleter says otherwise', () => {
  expect(gracePeriod(running)).toBe(45);
  expect(gracePeriod(running, 5)).toBe(5);
  expect(gracePeriod(running, 90)).toBe(90);
  expect(gracePeriod(running, 0)).toBe(0);
});

test('pods() takes a negative time for the shortest there is', () => {
  expect(gracePeriod(running, -1)).toBe(1);
});

test('pods() waits for no pod that is on no node or has ended', () => {
  expect(gracePeriod({ ...running, spec: { containers: [] } }, 30)).toBe(0);
  expect(gracePeriod({ ...running, status: { phase: 'Failed' } }, 30)).toBe(0);
  expect(gracePeriod({ ...running, status: { phase: 'Succeeded' } })).toBe(0);
});

test('pods() starts every pod as pending, whatever its creator claims', () => {
  const { item } = create(resource, {
    ...minimal,
    status: { phase: 'Running', podIP: '192.0.2.1' },
  } as Pod);
  expect((item as Pod).status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
});

test('pods() tells of scheduling gates in the status of a new pod', () => {
  const spec = { containers: minimal.spec?.containers ?? [], schedulingGates: [{ name: 'wait' }] };
  const { item } = create(resource, { ...minimal, spec } as Pod);
  expect((item as Pod).status?.conditions).toMatchObject([
    { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
  ]);
});

test('pods() lets the status be written without its class and owners, and keeps both', () => {
  const { item } = create(resource, minimal);
  const owners = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];
  const owned = { ...item, metadata: { ...item.metadata, ownerReferences: owners } };
  const change = {
    metadata: { ownerReferences: null },
    spec: { nodeName: 'elsewhere' },
    status: { phase: 'Running', qosClass: null },
  };
  const written = update(resource, owned, change, 'status').item as Pod;
  expect(written.metadata?.ownerReferences).toEqual(owners);
  expect(written.status).toEqual({ phase: 'Running', qosClass: 'BestEffort' });
  expect(written.spec).not.toHaveProperty('nodeName');
});
