import { annotations, labels } from '@liqo/api';
import type { ConfigMap, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { planConfigMap } from './config-map.ts';
import type { ReflectionStep } from './plan-reflection.ts';
import { readReflected } from './read-reflected.ts';
import type { ReflectionRoute } from './reflection-route.ts';

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: ['team'], annotations: ['note'] },
};

function configMap(change: Partial<ConfigMap> = {}): Stored<ConfigMap> {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { mode: 'fast' },
    ...change,
    metadata: {
      namespace: 'shop',
      name: 'settings',
      uid: 'l1',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      ...change.metadata,
    },
  };
}

const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };

/** A copy as a provider holds it: it records as applied what the copy has. */
function copy(change: Partial<ConfigMap> = {}): Stored<ConfigMap> {
  const applied = configMap(change);
  const { labels: own = marks, ...metadata } = change.metadata ?? {};
  const object = {
    ...applied,
    metadata: {
      ...applied.metadata,
      namespace: 'shop-rome',
      uid: 'r1',
      resourceVersion: '7',
      labels: own,
      ...metadata,
    },
  };
  const fields = (value: unknown): object =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [`f:${key}`, fields(one)]))
      : {};
  const { data = {} } = object;
  const fieldsV1 = fields({ data, metadata: { labels: own } });
  const managedFields = [{ manager: 'reflection.liqo.io', operation: 'Apply', fieldsV1 }];
  const stored = { ...object, metadata: { ...object.metadata, managedFields } };
  const read = readReflected(stored as Stored<ConfigMap>);
  if (!read) throw new Error('It is no object');
  return read;
}

const foreign = copy({ metadata: { labels: {} } });
const elsewhere = copy({ metadata: { labels: { ...marks, [labels.origin]: 'pisa' } } });
const terminating = copy({ metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } });
const skipped = configMap({ metadata: { annotations: { [annotations.skipReflection]: '' } } });

describe('planConfigMap()', () => {
  test.each<[string, Stored<ConfigMap> | undefined, Stored<ConfigMap> | undefined, string]>([
    ['creates a missing copy', configMap(), undefined, 'apply'],
    ['leaves a good copy alone', configMap(), copy(), 'nothing'],
    ['applies a change', configMap({ data: { mode: 'slow' } }), copy(), 'apply'],
    ['applies a removal', configMap({ data: {} }), copy(), 'apply'],
    ['repairs a changed copy', configMap(), copy({ data: { mode: 'other' } }), 'apply'],
    ['deletes a copy without an original', undefined, copy(), 'delete'],
    ['deletes the copy of what is to be skipped', skipped, copy(), 'delete'],
    ['waits for a copy that is being deleted', configMap(), terminating, 'nothing'],
    ['deletes nothing twice', undefined, terminating, 'nothing'],
    ['leaves a foreign object alone', undefined, foreign, 'nothing'],
    ['leaves the copy of another consumer alone', undefined, elsewhere, 'nothing'],
    ['leaves a foreign object alone for what is to be skipped', skipped, foreign, 'nothing'],
    ['refuses a name that is taken', configMap(), foreign, 'refuse'],
    ['refuses a name that another consumer has taken', configMap(), elsewhere, 'refuse'],
    ['has nothing to do for nothing', undefined, undefined, 'nothing'],
    [
      'replaces an immutable copy',
      configMap({ data: { mode: 'slow' }, immutable: true }),
      copy({ immutable: true }),
      'delete',
    ],
    [
      'replaces an immutable copy of what has become mutable',
      configMap(),
      copy({ immutable: true }),
      'delete',
    ],
  ])('%s', (_, local, remote, type) => {
    expect(planConfigMap(local, remote, route).type).toBe(type);
  });

  test('forges labels, annotations and content, and nothing that binds it to the original', () => {
    const local = configMap({
      binaryData: { blob: 'AA==' },
      metadata: {
        labels: { app: 'web', team: 'blue' },
        annotations: {
          note: 'stays',
          about: 'goes',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
        },
        finalizers: ['example.org/hold'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u' }],
      },
    });
    expect(planConfigMap(local, undefined, route)).toEqual({
      type: 'apply',
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          namespace: 'shop-rome',
          name: 'settings',
          labels: { app: 'web', ...marks },
          annotations: { about: 'goes' },
        },
        data: { mode: 'fast' },
        binaryData: { blob: 'AA==' },
      },
    });
  });

  test('means the very object that it has seen', () => {
    const step = planConfigMap(configMap({ data: {} }), copy(), route);
    expect(step).toMatchObject({ type: 'apply', object: { metadata: { uid: 'r1' } } });
  });

  test('compares long texts without keeping them', () => {
    const data = { page: 'x'.repeat(100_000) };
    const remote = copy({ data });
    expect(JSON.stringify(remote).length).toBeLessThan(1_000);
    expect(planConfigMap(configMap({ data }), remote, route)).toEqual({ type: 'nothing' });
    const other = configMap({ data: { page: `${'x'.repeat(99_999)}y` } });
    expect(planConfigMap(other, remote, route).type).toBe('apply');
  });

  test('removes a key that was added at the provider, of that version', () => {
    const added = { ...copy(), data: { mode: 'fast', more: 'x' } };
    expect(planConfigMap(configMap(), added, route)).toMatchObject({
      type: 'prune',
      patch: { metadata: { uid: 'r1', resourceVersion: '7' }, data: { more: null } },
    });
  });

  test('leaves labels and annotations alone that were added at the provider', () => {
    const { metadata, ...rest } = copy();
    const labelled = { ...metadata, labels: { ...metadata.labels, by: 'provider' } };
    const remote = { ...rest, metadata: { ...labelled, annotations: { by: 'provider' } } };
    expect(planConfigMap(configMap(), remote, route)).toEqual({ type: 'nothing' });
  });

  test('applies the removal of a label that was reflected', () => {
    const remote = copy({ metadata: { labels: { ...marks, app: 'web' } } });
    expect(planConfigMap(configMap(), remote, route).type).toBe('apply');
  });

  test('gives the root CA a name of its own, and refuses that name to others', () => {
    const rootCa = configMap({ metadata: { name: 'kube-root-ca.crt' } });
    const step = planConfigMap(rootCa, undefined, { ...route, policy: 'AllowList' });
    expect(step).toMatchObject({ object: { metadata: { name: 'kube-root-ca.crt.rome' } } });
    const clash = configMap({ metadata: { name: 'kube-root-ca.crt.rome' } });
    expect(planConfigMap(clash, undefined, route)).toMatchObject({
      type: 'refuse',
      reason: 'FailedReflection',
      message: expect.stringContaining('Liqo needs that name'),
    });
  });

  test('says which object is in the way, and what to do', () => {
    const step: ReflectionStep<ConfigMap> = planConfigMap(configMap(), foreign, route);
    expect(step).toEqual({
      type: 'refuse',
      reason: 'FailedReflection',
      message:
        'Cannot reflect ConfigMap "settings" to provider "milan": namespace "shop-rome" there has a ConfigMap of that ' +
        'name that was not made for this cluster: rename one of them',
    });
  });
});
