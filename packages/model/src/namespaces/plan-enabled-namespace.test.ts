import type { NamespaceOffloading } from '@liqo/api';
import type { Namespace, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { planEnabledNamespace } from './plan-enabled-namespace.ts';

const enabled = { 'liqo.io/enabled': 'true' };
const namespace = (metadata: Partial<Namespace['metadata']> = {}) =>
  ({
    metadata: { name: 'shop', uid: 'u1', resourceVersion: '1', labels: enabled, ...metadata },
  }) as Stored<Namespace>;
const offloading = (
  metadata: NamespaceOffloading['metadata'] = {
    annotations: { 'liqo.io/enabled-namespace': 'u1' },
  },
): NamespaceOffloading => ({
  metadata: { name: 'offloading', namespace: 'shop', ...metadata },
  spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
});
const ending = '2026-01-01T00:00:00Z';

describe('planEnabledNamespace()', () => {
  test.each<[string, Stored<Namespace>, NamespaceOffloading | undefined, string]>([
    ['maps a namespace with the label', namespace(), undefined, 'create'],
    ['changes nothing that exists', namespace(), offloading(), 'none'],
    ['leaves a NamespaceOffloading of the user alone', namespace(), offloading({}), 'none'],
    [
      'waits for one that is being deleted',
      namespace(),
      offloading({ deletionTimestamp: ending }),
      'none',
    ],
    ['undoes what it made without the label', namespace({ labels: {} }), offloading(), 'delete'],
    [
      'takes another value for no label',
      namespace({ labels: { 'liqo.io/enabled': 'false' } }),
      offloading(),
      'delete',
    ],
    ['keeps one of the user without the label', namespace({ labels: {} }), offloading({}), 'none'],
    [
      'keeps one that was copied from another namespace',
      namespace({ labels: {}, uid: 'u2' }),
      offloading(),
      'none',
    ],
    [
      'deletes nothing twice',
      namespace({ labels: {} }),
      offloading({ ...offloading().metadata, deletionTimestamp: ending }),
      'none',
    ],
    ['leaves a namespace alone without the label', namespace({ labels: {} }), undefined, 'none'],
    [
      'leaves a namespace alone that is being deleted',
      namespace({ deletionTimestamp: ending }),
      undefined,
      'none',
    ],
    ['refuses namespaces of Kubernetes', namespace({ name: 'kube-system' }), undefined, 'refuse'],
    ['refuses the namespace of Liqo', namespace({ name: 'liqo' }), undefined, 'refuse'],
    [
      'refuses tenant namespaces',
      namespace({ labels: { ...enabled, 'liqo.io/tenant-namespace': 'true' } }),
      undefined,
      'refuse',
    ],
  ])('%s', (_, about, existing, type) => {
    expect(planEnabledNamespace(about, existing, 'liqo').type).toBe(type);
  });

  test('recognizes what it made', () => {
    const step = planEnabledNamespace(namespace(), undefined, 'liqo');
    if (step.type !== 'create') throw new Error('nothing is created');
    expect(step.offloading).toMatchObject(offloading());
    const later = planEnabledNamespace(namespace({ labels: {} }), step.offloading, 'liqo');
    expect(later.type).toBe('delete');
  });
});
