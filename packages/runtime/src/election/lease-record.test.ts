import type { Lease, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { claimLease, forgeLease, holderOf, releaseLease } from './lease-record.ts';

const startMs = Date.UTC(2030, 0, 1);
const claim = { identity: 'a', leaseDurationMs: 15_000, nowMs: startMs };

function stored(lease: Lease): Stored<Lease> {
  const server = { uid: 'u', resourceVersion: '1', creationTimestamp: '', name: 'x' };
  const metadata = { ...lease.metadata, ...server };
  return { ...lease, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
}

const lease = stored(forgeLease({ namespace: 'liqo', name: 'x' }, claim));

test('claimLease() renews: the times of the term and the transitions stay', () => {
  const renewed = claimLease(lease, { ...claim, nowMs: startMs + 2_000 });
  expect(renewed.spec).toEqual({
    holderIdentity: 'a',
    leaseDurationSeconds: 15,
    acquireTime: '2030-01-01T00:00:00.000000Z',
    renewTime: '2030-01-01T00:00:02.000000Z',
    leaseTransitions: 0,
  });
});

test('claimLease() takes over: a new term, one transition more', () => {
  const taken = claimLease(lease, { ...claim, identity: 'b', nowMs: startMs + 20_000 });
  expect(taken.spec).toMatchObject({
    holderIdentity: 'b',
    acquireTime: '2030-01-01T00:00:20.000000Z',
    renewTime: '2030-01-01T00:00:20.000000Z',
    leaseTransitions: 1,
  });
});

test('claimLease() changes something even when the wall clock stands still', () => {
  const renewed = claimLease(lease, claim);
  expect(renewed.spec?.renewTime).toBe('2030-01-01T00:00:00.000001Z');
  expect(claimLease(renewed, claim).spec?.renewTime).toBe('2030-01-01T00:00:00.000000Z');
});

test('claimLease() promises whole seconds, never less than the leader takes', () => {
  const claimed = claimLease(lease, { ...claim, leaseDurationMs: 1_500 });
  expect(claimed.spec?.leaseDurationSeconds).toBe(2);
});

test('claimLease() keeps what it does not know', () => {
  const extended = { ...lease, spec: { ...lease.spec, strategy: 'OldestEmulationVersion' } };
  expect(claimLease(extended, claim).spec).toMatchObject({ strategy: 'OldestEmulationVersion' });
});

test('releaseLease() leaves a lease that nobody holds', () => {
  const released = releaseLease(lease, startMs + 1_000);
  expect(holderOf(released)).toBeUndefined();
  expect(released.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
});
