import type { Namespace, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import {
  forgeTenantBinding,
  isManagedBy,
  planRemoteNamespace,
  refuseSharedName,
  type WantedNamespace,
} from './plan-remote-namespace.ts';

const wanted: WantedNamespace = {
  local: 'shop',
  remote: 'shop-rome',
  consumerClusterID: 'rome',
  namespaceMapKey: 'liqo-tenant-rome/milan',
  podSecurity: 'baseline',
  liqoNamespace: 'liqo',
};

function stored(metadata: Namespace['metadata']): Stored<Namespace> {
  return { metadata: { name: 'shop-rome', uid: 'x', ...metadata } } as Stored<Namespace>;
}

const ours = stored({
  labels: { 'liqo.io/remote-cluster-id': 'rome' },
  annotations: { 'liqo.io/managed-by-namespace-map': 'liqo-tenant-rome/milan' },
});

describe('planRemoteNamespace()', () => {
  test('makes the namespace that Liqo v1.2.0 makes, with a Pod Security level', () => {
    expect(planRemoteNamespace(wanted, undefined)).toEqual({
      type: 'create',
      namespace: {
        metadata: {
          name: 'shop-rome',
          labels: {
            'liqo.io/remote-cluster-id': 'rome',
            'pod-security.kubernetes.io/enforce': 'baseline',
          },
          annotations: {
            'liqo.io/managed-by-namespace-map': 'liqo-tenant-rome/milan',
            'liqo.io/original-name': 'shop',
          },
        },
      },
    });
  });

  test('keeps what it has made', () => {
    const step = planRemoteNamespace(wanted, undefined);
    if (step.type !== 'create') throw new Error(step.type);
    expect(planRemoteNamespace(wanted, stored(step.namespace.metadata))).toEqual({ type: 'keep' });
  });

  test('keeps the Pod Security level that the provider has chosen since', () => {
    const labels = { ...ours.metadata.labels, 'pod-security.kubernetes.io/enforce': 'restricted' };
    expect(planRemoteNamespace(wanted, stored({ ...ours.metadata, labels }))).toEqual({
      type: 'keep',
    });
  });

  test.each([
    ['without our label', {}],
    ['with the label of another', { 'liqo.io/remote-cluster-id': 'oslo' }],
  ])('labels one again that it finds %s', (_, labels) => {
    const step = planRemoteNamespace(
      wanted,
      stored({ ...ours.metadata, labels: labels as Record<string, string> }),
    );
    expect(step).toEqual({ type: 'label', labels: { 'liqo.io/remote-cluster-id': 'rome' } });
  });

  test.each([
    ['nobody', {}],
    ['another map', { 'liqo.io/managed-by-namespace-map': 'liqo-tenant-oslo/milan' }],
  ])('never takes over the namespace of %s', (_, annotations) => {
    const theirs = stored({ ...ours.metadata, annotations: annotations as Record<string, string> });
    expect(planRemoteNamespace(wanted, theirs)).toMatchObject({
      type: 'refuse',
      mapping: { phase: 'CreationLoopBackOff', reason: 'NamespaceTaken' },
    });
  });

  test.each([
    ['Accepted', 'an accepted one', { remoteNamespace: 'shop-rome', phase: 'Accepted' }],
    ['Terminating', 'one never accepted', undefined],
    ['Terminating', 'one unwanted before', { remoteNamespace: 'shop-rome', phase: 'Terminating' }],
    ['Terminating', 'one accepted by another name', { remoteNamespace: 'x', phase: 'Accepted' }],
  ] as const)('reports %s for %s that is being deleted, and waits', (phase, _, before) => {
    const going = stored({ ...ours.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(planRemoteNamespace(wanted, going, before)).toEqual({
      type: 'wait',
      mapping: {
        remoteNamespace: 'shop-rome',
        phase,
        reason: 'Terminating',
        message: expect.stringContaining('is being deleted'),
      },
    });
  });

  test.each(['default', 'kube-system', 'kube-evil', 'liqo', 'liqo-tenant-oslo'])(
    'refuses the name "%s", which a cluster keeps for itself, even if it were ours',
    (remote) => {
      for (const existing of [undefined, ours]) {
        expect(planRemoteNamespace({ ...wanted, remote }, existing)).toMatchObject({
          type: 'refuse',
          mapping: { remoteNamespace: remote, reason: 'ReservedName' },
        });
      }
    },
  );

  test.each(['', 'Shop', '../kube-system', 'a.b', '-a', 'x'.repeat(64)])(
    'refuses the name "%.20s", which no namespace can have, without a write',
    (remote) => {
      expect(planRemoteNamespace({ ...wanted, remote }, undefined)).toMatchObject({
        type: 'refuse',
        mapping: { phase: 'CreationLoopBackOff', reason: 'InvalidName' },
      });
    },
  );

  test.each(['kubernetes', 'liqo-demo', 'default-rome'])('does not mind "%s"', (remote) => {
    expect(planRemoteNamespace({ ...wanted, remote }, undefined).type).toBe('create');
  });
});

test('isManagedBy() goes by the annotation alone', () => {
  expect(isManagedBy(ours, 'liqo-tenant-rome/milan')).toBe(true);
  expect(isManagedBy(ours, 'liqo-tenant-rome/other')).toBe(false);
  expect(isManagedBy({}, 'liqo-tenant-rome/milan')).toBe(false);
});

test('refuseSharedName() says who has the name', () => {
  expect(refuseSharedName('market', 'shop')).toEqual({
    remoteNamespace: 'market',
    phase: 'CreationLoopBackOff',
    reason: 'NameCollision',
    message: expect.stringContaining('"shop"'),
  });
});

test('forgeTenantBinding() is for the group of the consumer, and named after its tenant namespace', () => {
  expect(
    forgeTenantBinding(wanted, 'liqo-tenant-rome', 'liqo-virtual-kubelet-remote'),
  ).toMatchObject({
    metadata: { name: 'liqo-tenant-rome', namespace: 'shop-rome' },
    roleRef: { kind: 'ClusterRole', name: 'liqo-virtual-kubelet-remote' },
    subjects: [{ kind: 'Group', name: 'rome' }],
  });
});
