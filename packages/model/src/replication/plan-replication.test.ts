import { labels } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appliedMetadata } from '../applied-metadata.ts';
import { planReplication, type ReplicatedObject } from './plan-replication.ts';

const route = { localClusterID: 'rome', remoteNamespace: 'liqo-tenant-rome' };

function original(parts: Partial<ReplicatedObject> = {}): Stored<ReplicatedObject> {
  const { metadata, ...others } = parts;
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'NamespaceMap',
    metadata: {
      name: 'milan',
      namespace: 'liqo-tenant-milan',
      uid: 'original-uid',
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['crdreplicator.liqo.io/resource'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'y' }],
      ...metadata,
      labels: {
        [labels.remoteClusterID]: 'milan',
        [labels.replicationDestination]: 'milan',
        [labels.replication]: 'true',
        ...metadata?.labels,
      },
    },
    spec: { desiredMapping: { shop: 'shop-rome' } },
    status: { currentMapping: {} },
    ...others,
  };
}

/** As a server stores what was asked for. */
function stored(object: ReplicatedObject): Stored<ReplicatedObject> {
  const kept = { uid: 'copy-uid', resourceVersion: '3', creationTimestamp: '2026-01-01T00:00:00Z' };
  const { name = '', ...others } = object.metadata ?? {};
  return { apiVersion: '', kind: '', ...object, metadata: { ...kept, name, ...others } };
}

function created(from: Stored<ReplicatedObject>): Stored<ReplicatedObject> {
  const step = planReplication(from, undefined, route);
  if (step.type !== 'create') throw new Error(step.type);
  return stored(step.copy);
}

describe('planReplication()', () => {
  test('makes the copy that Liqo v1.2.0 makes', () => {
    expect(planReplication(original(), undefined, route)).toEqual({
      type: 'create',
      copy: {
        apiVersion: 'offloading.liqo.io/v1beta1',
        kind: 'NamespaceMap',
        metadata: {
          name: 'milan',
          namespace: 'liqo-tenant-rome',
          labels: {
            'liqo.io/originID': 'rome',
            'liqo.io/remote-cluster-id': 'rome',
            'liqo.io/remoteID': 'milan',
            'liqo.io/replicated': 'true',
            'liqo.io/replication': 'false',
          },
          annotations: { [appliedMetadata]: expect.any(String) },
        },
        spec: { desiredMapping: { shop: 'shop-rome' } },
      },
    });
  });

  test('leaves at home who owns the original, and what kubectl noted down', () => {
    const noted = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'x' };
    const marks = { [labels.ownership]: 'Shared' };
    const { metadata } = created(original({ metadata: { labels: marks, annotations: noted } }));
    expect(metadata.labels).not.toHaveProperty(labels.ownership);
    expect(metadata.annotations).toEqual({ note: 'x', [appliedMetadata]: expect.any(String) });
  });

  test('has nothing to do where the copy is in step, whatever the peer added', () => {
    const copy = created(original());
    expect(planReplication(original(), copy, route)).toEqual({ type: 'inStep' });
    const theirs = {
      ...copy,
      metadata: {
        ...copy.metadata,
        labels: { ...copy.metadata.labels, theirs: 'yes' },
        finalizers: ['a/b'],
      },
      status: { currentMapping: { shop: { phase: 'Accepted' } } },
    };
    expect(planReplication(original(), theirs, route)).toEqual({ type: 'inStep' });
  });

  test.each<[string, Partial<ReplicatedObject>]>([
    ['spec', { spec: { desiredMapping: {} } }],
    ['labels', { metadata: { labels: { team: 'red' } } }],
    ['annotations', { metadata: { annotations: { note: 'y' } } }],
  ])('brings the copy in step in its %s, of that very version', (_, change) => {
    const copy = created(original());
    const step = planReplication(original(change), copy, route);
    if (step.type !== 'update') throw new Error(step.type);
    expect(step.copy.metadata).toMatchObject({ uid: 'copy-uid', resourceVersion: '3' });
    expect(planReplication(original(change), stored(step.copy), route)).toEqual({ type: 'inStep' });
  });

  test('takes away from the copy what is no longer on the original', () => {
    const rich = original({ metadata: { labels: { team: 'red' }, annotations: { note: 'x' } } });
    const step = planReplication(original(), created(rich), route);
    if (step.type !== 'update') throw new Error(step.type);
    expect(step.copy.metadata?.labels).not.toHaveProperty('team');
    expect(step.copy.metadata?.annotations).not.toHaveProperty('note');
  });

  test('adopts the copy that Liqo made, and notes down what it did', () => {
    const { metadata, ...others } = created(original());
    const theirs = { ...others, metadata: { ...metadata, annotations: {} } };
    const step = planReplication(original(), theirs, route);
    expect(step).toMatchObject({ type: 'update', copy: { spec: original().spec } });
  });

  test.each([
    ['nobody', {}],
    ['another cluster', { 'liqo.io/originID': 'oslo', 'liqo.io/replicated': 'true' }],
    ['somebody who only says so', { 'liqo.io/originID': 'rome' }],
  ])('never touches an object of %s', (_, marks) => {
    const theirs = stored({ metadata: { name: 'milan', labels: marks as Record<string, string> } });
    expect(planReplication(original(), theirs, route)).toMatchObject({
      type: 'refuse',
      reason: 'NameTaken',
    });
  });

  test('is in step after what it asked for was done, whatever was there before', () => {
    const entries = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'));
    fc.assert(
      fc.property(entries, entries, entries, entries, (ours, theirs, spec, notes) => {
        const wanted = original({ spec, metadata: { labels: ours, annotations: notes } });
        const copy = created(original());
        const before = {
          ...copy,
          metadata: { ...copy.metadata, labels: { ...copy.metadata.labels, ...theirs } },
        };
        const step = planReplication(wanted, before, route);
        const after = step.type === 'update' ? stored(step.copy) : before;
        expect(planReplication(wanted, after, route)).toEqual({ type: 'inStep' });
      }),
    );
  });
});
