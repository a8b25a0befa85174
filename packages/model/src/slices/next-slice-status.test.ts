import { expect, test } from 'vitest';
import {
  acceptedStatus,
  decidedStatus,
  deniedStatus,
  inaccessibleStatus,
} from './next-slice-status.ts';

const now = '2026-01-01T00:00:00Z';
const later = '2026-01-02T00:00:00Z';
const authParams = { apiServer: 'https://milan.example:6443', signedCRT: 'Y3J0' };

test('a slice is accepted with the words of Liqo v1.2.0', () => {
  const status = decidedStatus(
    acceptedStatus(undefined, authParams, now),
    { type: 'grant', granted: { resources: { cpu: '2' } } },
    now,
  );
  expect(status).toEqual({
    authParams,
    resources: { cpu: '2' },
    conditions: [
      {
        type: 'Authentication',
        status: 'Accepted',
        reason: 'ResourceSliceAuthenticationAccepted',
        message: 'ResourceSlice authentication accepted',
        lastTransitionTime: now,
      },
      {
        type: 'Resources',
        status: 'Accepted',
        reason: 'ResourceSliceResourcesAccepted',
        message: 'ResourceSlice resources accepted',
        lastTransitionTime: now,
      },
    ],
  });
});

test('deniedStatus() shows no credentials any more, and says why', () => {
  const status = deniedStatus(acceptedStatus(undefined, authParams, now), 'no Tenant', later);
  expect(status).toEqual({
    conditions: [
      {
        type: 'Authentication',
        status: 'Denied',
        reason: 'ResourceSliceAuthenticationDenied',
        message: 'ResourceSlice authentication denied: no Tenant',
        lastTransitionTime: later,
      },
    ],
  });
});

test('decidedStatus() replaces all that was granted', () => {
  const before = {
    resources: { cpu: '2', 'nvidia.com/gpu': '1' },
    nodeLabels: { region: 'south' },
    storageClasses: [{ storageClassName: 'fast' }],
    nodeSelector: { pool: 'a' },
  };
  const granted = { resources: { cpu: '3' } };
  const status = decidedStatus(before, { type: 'grant', granted }, now);
  expect(status).toMatchObject({ resources: { cpu: '3' }, nodeSelector: { pool: 'a' } });
  expect(Object.keys(status).toSorted()).toEqual(['conditions', 'nodeSelector', 'resources']);
});

test('decidedStatus() takes back what was granted when it is denied', () => {
  const status = decidedStatus({ resources: { cpu: '2' } }, { type: 'deny', message: 'why' }, now);
  expect(status.resources).toBeUndefined();
  expect(status.conditions).toMatchObject([
    {
      status: 'Denied',
      reason: 'ResourceSliceResourcesDenied',
      message: 'ResourceSlice resources denied: why',
    },
  ]);
});

test('decidedStatus() leaves what another controller decides', () => {
  const before = { resources: { cpu: '2' } };
  expect(decidedStatus(before, { type: 'leave' }, now)).toBe(before);
  const denied = decidedStatus(before, { type: 'deny', message: 'why' }, now);
  expect(decidedStatus(denied, { type: 'reopen' }, now)).toEqual({ conditions: [] });
});

test('a granted slice whose provider withdraws access is denied, and shows what it had', () => {
  const grant = { type: 'grant', granted: { resources: { cpu: '2' } } } as const;
  const granted = decidedStatus(acceptedStatus(undefined, authParams, now), grant, now);
  const withdrawn = inaccessibleStatus(granted, 'milan refuses', later);
  expect(withdrawn).toMatchObject({ authParams, resources: { cpu: '2' } });
  expect(withdrawn?.conditions).toContainEqual({
    type: 'Resources',
    status: 'Denied',
    reason: 'AccessWithdrawn',
    message: 'ResourceSlice resources denied: milan refuses',
    lastTransitionTime: later,
  });
  expect(inaccessibleStatus(withdrawn, 'milan refuses', later)).toBeUndefined();
  expect(inaccessibleStatus(undefined, 'milan refuses', later)).toBeUndefined();
});
