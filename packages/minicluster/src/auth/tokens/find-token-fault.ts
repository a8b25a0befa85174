import { parseTime } from '@liqo/kube';
import type { Item } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import type { ObjectClaim, ServiceAccountClaims } from './service-account-claims.ts';

/** Clocks differ, and so tokens live a little longer than they say; so do those whose objects are being deleted. */
const leewayMs = 60_000;

const invalidated = 'service account token has been invalidated';

/** Why a token with a good signature is worthless: its time, or the objects it depends on. Undefined when it is good. */
export function findTokenFault(
  claims: ServiceAccountClaims,
  store: Store,
  nowMs: number,
): string | undefined {
  return (
    faultOfTime(claims, nowMs) ??
    faultOfAccount(claims, store, nowMs) ??
    faultOfBound(claims, store, nowMs)
  );
}

function faultOfTime({ exp, nbf, iat }: ServiceAccountClaims, nowMs: number): string | undefined {
  if (nowMs - leewayMs > exp * 1000) return 'service account token has expired';
  if (nowMs + leewayMs < nbf * 1000) return 'service account token is not valid yet';
  if (nowMs + leewayMs < iat * 1000) return 'service account token is issued in the future';
  return undefined;
}

function faultOfAccount(
  { 'kubernetes.io': { namespace, serviceaccount } }: ServiceAccountClaims,
  store: Store,
  nowMs: number,
): string | undefined {
  const { name, uid } = serviceaccount;
  const account = store.collection('serviceaccounts').get(`${namespace}/${name}`);
  if (!account) return `serviceaccounts "${name}" not found`;
  if (account.metadata.uid !== uid) {
    return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
  }
  if (!isGone(account, nowMs)) return undefined;
  return `service account ${namespace}/${name} has been deleted`;
}

/** A token that is bound to a pod mentions its node too, but does not depend on it. */
function faultOfBound(
  { 'kubernetes.io': claims }: ServiceAccountClaims,
  store: Store,
  nowMs: number,
): string | undefined {
  const { namespace, pod, secret, node } = claims;
  const find = (plural: string, { name }: ObjectClaim) =>
    store.collection(plural).get(plural === 'nodes' ? name : `${namespace}/${name}`);
  if (pod) return faultOfObject('pod', pod, find('pods', pod), nowMs);
  if (secret) return faultOfObject('secret', secret, find('secrets', secret), nowMs);
  if (node) return faultOfObject('node', node, find('nodes', node), nowMs);
  return undefined;
}

function faultOfObject(
  kind: string,
  claim: ObjectClaim,
  object: Item | undefined,
  nowMs: number,
): string | undefined {
  if (!object) return invalidated;
  const { uid } = object.metadata;
  if (uid === claim.uid) return isGone(object, nowMs) ? invalidated : undefined;
  return `${kind} UID (${uid}) does not match service account ${kind} ref claim (${claim.uid})`;
}

function isGone({ metadata: { deletionTimestamp } }: Item, nowMs: number): boolean {
  return deletionTimestamp !== undefined && parseTime(deletionTimestamp) < nowMs - leewayMs;
}
