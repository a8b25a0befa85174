import type { Tenant } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { storedSlice } from '../testing/stored-slice.ts';
import { type DefaultClass, grantResources } from './grant-resources.ts';
import { decidedStatus } from './next-slice-status.ts';

const defaults: DefaultClass = {
  isEnabled: true,
  resources: { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '20Gi' },
  storageClasses: [{ storageClassName: 'fast' }],
};

function tenant(tenantCondition: Tenant['spec']['tenantCondition'] = 'Active'): Tenant['spec'] {
  return { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition };
}

const now = '2026-01-01T00:00:00Z';
const accepted = {
  conditions: [
    {
      type: 'Resources' as const,
      status: 'Accepted' as const,
      reason: 'ResourceSliceResourcesAccepted',
      message: 'ResourceSlice resources accepted',
    },
  ],
  resources: { cpu: '1' },
};

test('grantResources() grants what is asked for, as it is written, and the defaults of the rest', () => {
  const resources = { cpu: '500', memory: '1000Gi', pods: '10k', 'nvidia.com/gpu': '2' };
  expect(grantResources(storedSlice({ spec: { resources } }), tenant(), defaults)).toEqual({
    type: 'grant',
    granted: {
      resources: { ...resources, 'ephemeral-storage': '20Gi' },
      storageClasses: [{ storageClassName: 'fast' }],
    },
  });
});

test.each([undefined, '', 'default'])('grantResources() decides the class "%s"', (name) => {
  const slice = storedSlice({ spec: { class: name as string } });
  expect(grantResources(slice, tenant(), defaults).type).toBe('grant');
});

test('grantResources() leaves slices of another class alone', () => {
  const slice = storedSlice({ spec: { class: 'fair-share' } });
  expect(grantResources(slice, tenant(), defaults)).toEqual({ type: 'leave' });
});

describe('grantResources() where the default class is disabled', () => {
  const disabled = { ...defaults, isEnabled: false };

  test('denies slices of that class, with the reason of Liqo', () => {
    const decision = grantResources(storedSlice(), tenant(), disabled);
    expect(decision).toMatchObject({ type: 'deny' });
    const status = decidedStatus(accepted, decision, now);
    expect(status).toMatchObject({
      conditions: [{ status: 'Denied', reason: 'DefaultResourceSliceClassDisabled' }],
    });
    expect(status.resources).toBeUndefined();
  });

  test('leaves a slice that has changed its class to the controller of that class', () => {
    const denied = decidedStatus({}, grantResources(storedSlice(), tenant(), disabled), now);
    const slice = storedSlice({ spec: { class: 'fair-share' }, status: denied });
    expect(grantResources(slice, tenant(), disabled)).toEqual({ type: 'reopen' });
  });
});

test.each([
  [
    'what is no amount',
    { cpu: 'four' },
    'spec.resources[cpu]: Cannot parse quantity "four": it does not start with a number',
  ],
  ['a negative amount', { memory: '-1Gi' }, 'spec.resources[memory]: "-1Gi" is negative'],
  ['half a pod', { pods: '1500m' }, 'spec.resources[pods]: "1500m" is not a whole number'],
  [
    'two of them',
    { cpu: '-1', pods: '0.5' },
    'spec.resources[cpu]: "-1" is negative; spec.resources[pods]: "0.5" is not a whole number',
  ],
])('grantResources() denies %s, by the path of the field', (_, resources, message) => {
  const slice = storedSlice({ spec: { resources } });
  expect(grantResources(slice, tenant(), defaults)).toEqual({ type: 'deny', message });
});

test('grantResources() denies names that no resource has, and too many of them', () => {
  const odd = grantResources(
    storedSlice({ spec: { resources: { 'a b': '1' } } }),
    tenant(),
    defaults,
  );
  expect(odd).toMatchObject({
    type: 'deny',
    message: expect.stringContaining('spec.resources[a b]'),
  });
  const resources = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`x/r${i}`, '1']));
  const many = grantResources(storedSlice({ spec: { resources } }), tenant(), defaults);
  expect(many).toMatchObject({
    type: 'deny',
    message: 'spec.resources: more than 30 resources are asked for',
  });
});

test.each(['default', 'fair-share'])(
  'grantResources() gives a cordoned consumer nothing new of class "%s"',
  (name) => {
    const fresh = storedSlice({ spec: { class: name } });
    expect(grantResources(fresh, tenant('Cordoned'), defaults).type).toBe('deny');
    const resources = { cpu: '100' };
    const decided = storedSlice({ spec: { class: name, resources }, status: accepted });
    expect(grantResources(decided, tenant('Cordoned'), defaults)).toEqual({ type: 'leave' });
  },
);

test('grantResources() gives a drained consumer nothing', () => {
  const slice = storedSlice({ status: accepted });
  expect(grantResources(slice, tenant('Drained'), defaults).type).toBe('deny');
});

test('grantResources() lets another controller decide again after a cordon, and not after its own denial', () => {
  const fresh = storedSlice({ spec: { class: 'fair-share' } });
  const status = decidedStatus({}, grantResources(fresh, tenant('Cordoned'), defaults), now);
  const cordoned = storedSlice({ spec: { class: 'fair-share' }, status });
  expect(grantResources(cordoned, tenant(), defaults)).toEqual({ type: 'reopen' });
  const denied = decidedStatus({}, { type: 'deny', message: 'nothing is left' }, now);
  const byClass = storedSlice({ spec: { class: 'fair-share' }, status: denied });
  expect(grantResources(byClass, tenant(), defaults)).toEqual({ type: 'leave' });
});
