import { annotations, labels, labelValues } from '@liqo/api';
import type { Node, PersistentVolume, PersistentVolumeClaim, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { forgeClaimVolume, planClaim } from './claim.ts';
import { planClaimVolume } from './plan-claim-volume.ts';
import { readReflected } from './read-reflected.ts';
import type { ReflectionRoute } from './reflection-route.ts';

type Claim = Stored<PersistentVolumeClaim>;

const identity = { resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' };
const fast = {
  storageClasses: [{ storageClassName: 'slow' }, { storageClassName: 'fast', default: true }],
};
const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'AllowList',
  offered: fast,
  notReflected: { labels: [], annotations: [] },
};
const provisioner = { 'volume.beta.kubernetes.io/storage-provisioner': 'liqo.io/storage' };
const selected = { ...provisioner, 'volume.kubernetes.io/selected-node': 'milan' };

function claim(
  notes: Record<string, string> = selected,
  spec: PersistentVolumeClaim['spec'] = {},
  metadata: Partial<Claim['metadata']> = {},
): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...identity,
      namespace: 'shop',
      name: 'data',
      uid: 'u1',
      annotations: notes,
      ...metadata,
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'liqo',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  };
}

function node(name: string, clusterID: string): Stored<Node> {
  const marks = { [labels.type]: labelValues.virtualNode, [labels.remoteClusterID]: clusterID };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...identity, name, uid: name, labels: marks },
  };
}

const nodes = [node('milan', 'milan'), node('turin', 'turin')];

function volume(phase: string, policy: string, uid = 'u1'): Stored<PersistentVolume> {
  const made = forgeClaimVolume(claim(selected, {}, { uid }), route, policy);
  const { metadata, ...rest } = made;
  const name = metadata?.name ?? '';
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    ...rest,
    metadata: { ...metadata, ...identity, name, uid: `uid-of-${name}` },
    status: { phase },
  };
}

const factsOf = (...volumes: readonly Stored<PersistentVolume>[]) => ({
  nodeOf: (name: string) => nodes.find(({ metadata }) => metadata.name === name),
  volumeOf: (name: string) => volumes.find(({ metadata }) => metadata.name === name),
});

const plan = (
  local: Claim | undefined,
  remote: Claim | undefined,
  ...volumes: readonly Stored<PersistentVolume>[]
) => planClaim(factsOf(...volumes))(local, remote, route);

/** As the provider has it. */
function copy(of = claim(), change: Partial<Claim['metadata']> = {}): Claim {
  const step = plan(of, undefined, volume('Bound', 'Delete'));
  if (step.type !== 'apply') throw new Error(`expected apply, got ${step.type}`);
  const { metadata } = step.object;
  const stored = { ...step.object, metadata: { ...identity, uid: 'r1', ...metadata, ...change } };
  const read = readReflected(stored as Claim);
  if (!read) throw new Error('it cannot be read');
  return read;
}

describe('planClaim()', () => {
  test('writes the claim with a class of the provider, and without what concerns the consumer', () => {
    const bound = { ...selected, 'pv.kubernetes.io/bind-completed': 'yes', note: 'x' };
    expect(plan(claim(bound), undefined)).toMatchObject({
      type: 'apply',
      object: {
        metadata: {
          namespace: 'shop-rome',
          name: 'data',
          labels: { [labels.origin]: 'rome', [labels.destination]: 'milan' },
          annotations: { note: 'x', [annotations.claimUid]: 'u1' },
        },
        spec: {
          accessModes: ['ReadWriteOnce'],
          volumeMode: 'Filesystem',
          resources: { requests: { storage: '1Gi' } },
          storageClassName: 'fast',
        },
      },
    });
  });

  test('does what the annotations say about class and access modes', () => {
    const notes = {
      ...selected,
      [annotations.remoteStorageClass]: 'archive',
      [annotations.remoteAccessModes]: 'ReadWriteMany, ReadOnlyMany',
    };
    expect(plan(claim(notes), undefined)).toMatchObject({
      object: {
        spec: { storageClassName: 'archive', accessModes: ['ReadWriteMany', 'ReadOnlyMany'] },
      },
    });
  });

  test('keeps the class that the copy has', () => {
    const local = claim({ ...selected, [annotations.remoteStorageClass]: 'archive' });
    expect(plan(claim(), copy())).toEqual({ type: 'nothing' });
    expect(plan(local, copy())).toMatchObject({ object: { spec: { storageClassName: 'fast' } } });
  });

  test.each<[string, Claim]>([
    ['of another provisioner', claim({ 'volume.kubernetes.io/selected-node': 'milan' })],
    ['that waits for its first pod', claim(provisioner)],
    [
      'whose pod goes to another provider',
      claim({ ...selected, 'volume.kubernetes.io/selected-node': 'turin' }),
    ],
    [
      'whose pod goes to a Node that is not known',
      claim({ ...selected, 'volume.kubernetes.io/selected-node': 'gone' }),
    ],
    ['that is bound to a volume of its own', claim(selected, { volumeName: 'disk' })],
    ['that is being deleted', claim(selected, {}, { deletionTimestamp: '2030-01-01T00:00:00Z' })],
    ['that is to be skipped', claim({ ...selected, 'liqo.io/skip-reflection': 'true' })],
  ])('leaves a claim %s, and never deletes a copy for it', (_, local) => {
    expect(plan(local, undefined)).toEqual({ type: 'nothing' });
    expect(plan(local, copy(), volume('Released', 'Delete'))).toEqual({ type: 'nothing' });
  });

  test.each<[string, Stored<PersistentVolume>[], string]>([
    ['deletes a copy whose volume says so', [volume('Released', 'Delete')], 'delete'],
    ['keeps a copy whose volume says so', [volume('Released', 'Retain')], 'nothing'],
    ['keeps a copy whose volume is in use', [volume('Bound', 'Delete')], 'nothing'],
    ['keeps a copy without a volume', [], 'nothing'],
    ['keeps a copy, whatever other volumes say', [volume('Released', 'Delete', 'u2')], 'nothing'],
  ])('without the claim, %s', (_, volumes, expected) => {
    expect(plan(undefined, copy(), ...volumes).type).toBe(expected);
  });

  test('never deletes a claim that is not a copy, nor one of which it does not know the claim', () => {
    const released = volume('Released', 'Delete');
    expect(plan(undefined, copy(claim(), { labels: {} }), released)).toEqual({ type: 'nothing' });
    expect(plan(undefined, copy(claim(), { annotations: {} }), released)).toEqual({
      type: 'nothing',
    });
  });

  test('does not give a claim the data of an earlier one', () => {
    const later = claim(selected, {}, { uid: 'u2' });
    expect(plan(later, copy()).type).toBe('refuse');
    expect(plan(later, copy(), volume('Released', 'Delete')).type).toBe('delete');
    const going = copy(claim(), { deletionTimestamp: '2030-01-01T00:00:00Z' });
    expect(plan(later, going, volume('Released', 'Delete'))).toEqual({ type: 'nothing' });
  });

  test.each<[string, Claim]>([
    [
      'a data source',
      claim(selected, { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } }),
    ],
    [
      'an unknown access mode',
      claim({ ...selected, [annotations.remoteAccessModes]: 'Sometimes' }),
    ],
  ])('refuses %s, and keeps the copy', (_, local) => {
    expect(plan(local, undefined)).toMatchObject({ type: 'refuse', reason: 'FailedReflection' });
    expect(plan(local, copy()).type).toBe('refuse');
  });
});

describe('planClaimVolume()', () => {
  const decide = (
    local: Claim | undefined,
    remote: Claim | undefined,
    ...volumes: readonly Stored<PersistentVolume>[]
  ) => planClaimVolume({ ...factsOf(...volumes), local, remote, volumes }, route).type;

  test.each<[string, string, string]>([
    ['creates a volume for a claim that is at the provider', decide(claim(), copy()), 'create'],
    ['waits for the claim at the provider', decide(claim(), undefined), 'nothing'],
    [
      'leaves the volume that it has',
      decide(claim(), copy(), volume('Available', 'Delete')),
      'nothing',
    ],
    [
      'creates none for the data of an earlier claim',
      decide(claim(selected, {}, { uid: 'u2' }), copy()),
      'nothing',
    ],
    [
      'creates none for a foreign claim at the provider',
      decide(claim(), copy(claim(), { labels: {} })),
      'nothing',
    ],
    [
      'deletes a volume without claims on either side',
      decide(undefined, undefined, volume('Released', 'Delete')),
      'delete',
    ],
    [
      'keeps a volume whose claim at the provider is there',
      decide(undefined, copy(), volume('Released', 'Delete')),
      'nothing',
    ],
    [
      'keeps a volume that says so',
      decide(undefined, undefined, volume('Released', 'Retain')),
      'nothing',
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided).toBe(expected);
  });
});
