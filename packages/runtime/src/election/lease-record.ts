import type { Lease, ObjectKey, Stored } from '@liqo/kube';
import { microTime } from '../events/micro-time.ts';

/** Who claims a lease, for how long, and when. */
export interface LeaseClaim {
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Wall time: for people who look at the lease. Nobody decides anything by it. */
  readonly nowMs: number;
}

/** A lease that nobody had before, as client-go writes it. */
export function forgeLease(key: ObjectKey, claim: LeaseClaim): Lease {
  const now = microTime(claim.nowMs);
  return {
    metadata: { name: key.name, ...(key.namespace !== undefined && { namespace: key.namespace }) },
    spec: { ...heldBy(claim), acquireTime: now, renewTime: now, leaseTransitions: 0 },
  };
}

/** The lease renewed by its holder, or taken over by another. What else is in it stays. */
export function claimLease(lease: Stored<Lease>, claim: LeaseClaim): Stored<Lease> {
  const { spec = {} } = lease;
  const renewTime = differentMicroTime(claim.nowMs, spec.renewTime);
  const renewed = { ...spec, ...heldBy(claim), renewTime };
  if (holderOf(lease) === claim.identity) return { ...lease, spec: renewed };
  const leaseTransitions = (spec.leaseTransitions ?? 0) + 1;
  return { ...lease, spec: { ...renewed, acquireTime: renewTime, leaseTransitions } };
}

/** The lease given back: the next candidate that looks may take it at once. */
export function releaseLease(lease: Stored<Lease>, nowMs: number): Stored<Lease> {
  const renewTime = differentMicroTime(nowMs, lease.spec?.renewTime);
  const released = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: renewTime };
  return { ...lease, spec: { ...lease.spec, ...released, renewTime } };
}

export function holderOf(lease: Lease): string | undefined {
  return lease.spec?.holderIdentity || undefined;
}

/** For how long its holder may rely on it, by the holder's own word. */
export function durationMsOf(lease: Lease): number | undefined {
  const seconds = lease.spec?.leaseDurationSeconds;
  return seconds === undefined ? undefined : seconds * 1000;
}

function heldBy({ identity, leaseDurationMs }: LeaseClaim) {
  const leaseDurationSeconds = Math.ceil(leaseDurationMs / 1000);
  return { holderIdentity: identity, leaseDurationSeconds };
}

/**
 * A server takes a write that changes nothing for no write: the version stays, and nobody notices the renewal. So the
 * time always changes, even when the wall clock stands still.
 */
function differentMicroTime(nowMs: number, previous: string | undefined): string {
  const now = microTime(nowMs);
  return now === previous ? microTime(nowMs, 1) : now;
}
