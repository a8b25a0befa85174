import { annotations, type Quota, type ResourceSlice } from '@liqo/api';
import { applyMergePatch, type Json, type Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { storedSlice } from '../testing/stored-slice.ts';
import { decidedStatus, deniedStatus } from './next-slice-status.ts';
import { planQuota } from './plan-quota.ts';

const now = '2026-01-01T00:00:00Z';

function granted(resources: Record<string, string>, marks: Record<string, string> = {}) {
  const status = decidedStatus({}, { type: 'grant', granted: { resources } }, now);
  return storedSlice({ status, annotations: marks });
}

function made(slice: Stored<ResourceSlice>): Stored<Quota> {
  const step = planQuota(slice, undefined, 'None');
  if (step.type !== 'create') throw new Error(`Expected a Quota, not "${step.type}"`);
  const metadata = {
    ...step.quota.metadata,
    name: step.quota.metadata?.name ?? '',
    uid: 'quota-uid',
    resourceVersion: '7',
    creationTimestamp: now,
  };
  return { ...step.quota, apiVersion: 'offloading.liqo.io/v1beta1', kind: 'Quota', metadata };
}

function patched(before: Stored<Quota>, slice: Stored<ResourceSlice>): Stored<Quota> {
  const step = planQuota(slice, before, 'None');
  if (step.type !== 'patch') throw new Error(`Expected a patch, not "${step.type}"`);
  return applyMergePatch(before as unknown as Json, step.change) as unknown as Stored<Quota>;
}

test('planQuota() makes it as Liqo v1.2.0 does', () => {
  const step = planQuota(granted({ cpu: '2', pods: '10' }), undefined, 'None');
  expect(step).toEqual({
    type: 'create',
    quota: {
      metadata: {
        name: 'mypool-a8a4c692b93b',
        namespace: 'liqo-tenant-rome',
        labels: { 'liqo.io/managed': 'true' },
        ownerReferences: [
          {
            apiVersion: 'authentication.liqo.io/v1beta1',
            blockOwnerDeletion: true,
            controller: true,
            kind: 'ResourceSlice',
            name: 'mypool',
            uid: 'slice-uid',
          },
        ],
      },
      spec: {
        user: 'mypool-a8a4c692b93b',
        limitsEnforcement: 'None',
        resources: { cpu: '2', pods: '10' },
      },
    },
  });
});

test.each([
  [annotations.cordon, 'true', true],
  [annotations.cordon, '', true],
  [annotations.cordon, 'false', undefined],
  [annotations.cordon, 'False', undefined],
  [annotations.cordon, '0', undefined],
  [annotations.cordonTenant, 'true', true],
])('planQuota() of a slice with %s=%s', (annotation, value, cordoned) => {
  expect(made(granted({ cpu: '2' }, { [annotation]: value })).spec.cordoned).toBe(cordoned);
});

test('planQuota() makes none before anything is granted', () => {
  expect(planQuota(storedSlice(), undefined, 'None')).toEqual({ type: 'leave' });
  const denied = storedSlice({ status: decidedStatus({}, { type: 'deny', message: 'x' }, now) });
  expect(planQuota(denied, undefined, 'None')).toEqual({ type: 'leave' });
});

test('planQuota() leaves a good one', () => {
  const slice = granted({ cpu: '2' });
  expect(planQuota(slice, made(slice), 'None')).toEqual({ type: 'leave' });
});

test('planQuota() follows what is granted, key by key, with what it has seen', () => {
  const before = made(granted({ cpu: '2', 'nvidia.com/gpu': '1' }));
  const step = planQuota(granted({ cpu: '3' }), before, 'None');
  expect(step).toMatchObject({
    change: { metadata: { uid: 'quota-uid', resourceVersion: '7' } },
  });
  expect(patched(before, granted({ cpu: '3' })).spec.resources).toEqual({ cpu: '3' });
});

test('planQuota() cordons and uncordons', () => {
  const slice = granted({ cpu: '2' });
  const cordoned = patched(made(slice), granted({ cpu: '2' }, { [annotations.cordon]: 'true' }));
  expect(cordoned.spec.cordoned).toBe(true);
  expect(patched(cordoned, slice).spec).toEqual(made(slice).spec);
});

test.each([
  ['whose resources are denied', decidedStatus({}, { type: 'deny', message: 'x' }, now)],
  ['whose consumer is denied', deniedStatus(granted({ cpu: '2' }).status, 'x', now)],
  ['that is to be decided again', {}],
])(
  'planQuota() cordons the Quota of a slice %s, and keeps what its pods are counted by',
  (_, status) => {
    const before = made(granted({ cpu: '2' }));
    const { spec } = patched(before, storedSlice({ status }));
    expect(spec).toEqual({ ...before.spec, cordoned: true });
  },
);

test('planQuota() takes over the Quota of an earlier slice of that name, and no other', () => {
  const slice = granted({ cpu: '2' });
  const [owner] = made(slice).metadata.ownerReferences ?? [];
  const quota = made(slice);
  const owned = (references: object[]) =>
    ({ ...quota, metadata: { ...quota.metadata, ownerReferences: references } }) as Stored<Quota>;
  const taken = patched(owned([{ ...owner, uid: 'earlier' }]), slice);
  expect(taken.metadata.ownerReferences).toEqual([owner]);
  expect(planQuota(slice, owned([]), 'None')).toEqual({ type: 'taken' });
});
