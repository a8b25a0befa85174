import { type Clock, formatTime, type KubeObject, parseApiVersion } from '@liqo/kube';
import type { BoundObjectReference, TokenRequest } from 'kubernetes-types/authentication/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { badRequest, conflict, invalid, notFound } from '../../rest/refusal.ts';
import type { Item } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import type { KubernetesClaims, ObjectClaim } from './service-account-claims.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

export interface TokenRequestParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: ServiceAccountTokens;
}

export const tokenRequestKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
};

const defaultExpirationSeconds = 3600;
const leastExpirationSeconds = 600;
const mostExpirationSeconds = 2 ** 32;

/** What the kubelet asks for in a pod's behalf: such a token lives for a year, so that old clients do not lose theirs. */
const projectedExpirationSeconds = 3607;
const extendedExpirationSeconds = 365 * 24 * 3600;

export interface AccountKey {
  readonly namespace: string;
  readonly name: string;
}

/** The request for a token of the service account at `namespace/name` of the path, with all that was left open. */
export function completeTokenRequest(
  parts: TokenRequestParts,
  key: AccountKey,
  asked: TokenRequest,
): TokenRequest {
  const account = parts.store.collection('serviceaccounts').get(`${key.namespace}/${key.name}`);
  refuseOtherName(key.name, asked);
  if (!account) throw notFound({ group: '', plural: 'serviceaccounts' }, key.name);
  refuseOtherAccount(account, asked);
  const expirationSeconds = asked.spec.expirationSeconds ?? defaultExpirationSeconds;
  refuseExpiration(expirationSeconds);
  const audiences = asked.spec.audiences?.length ? asked.spec.audiences : parts.tokens.audiences;
  const creationTimestamp = formatTime(parts.clock.now());
  return {
    ...asked,
    metadata: { ...asked.metadata, ...key, creationTimestamp },
    spec: { ...asked.spec, audiences: [...audiences], expirationSeconds },
  };
}

/** Answers a request that was completed. */
export function answerTokenRequest(
  parts: TokenRequestParts,
  key: AccountKey,
  { spec, ...request }: TokenRequest,
): KubeObject {
  const account = parts.store.collection('serviceaccounts').get(`${key.namespace}/${key.name}`);
  if (!account) throw notFound({ group: '', plural: 'serviceaccounts' }, key.name);
  const { audiences, expirationSeconds = defaultExpirationSeconds, boundObjectRef } = spec;
  const bound = boundObjectRef ? bind(parts, account, boundObjectRef) : {};
  const wanted = { audiences, expirationSeconds, bound };
  const token = parts.tokens.issue({ account, ...extended(parts, wanted) });
  return present(parts, account, { spec, ...request }, { audiences, expirationSeconds, token });
}

function refuseOtherName(name: string, asked: TokenRequest): void {
  const given = asked.metadata?.name;
  if (!given || given === name) return;
  const message = `Invalid value: ${JSON.stringify(given)}: must match the service account name if specified`;
  throw invalid(tokenRequestKind, name, [
    { field: 'metadata.name', reason: 'FieldValueInvalid', message },
  ]);
}

function refuseOtherAccount({ metadata }: Item, asked: TokenRequest): void {
  const given = asked.metadata?.uid;
  if (!given || given === metadata.uid) return;
  const why = `the UID in the token request (${given}) does not match the UID of the service account (${metadata.uid})`;
  throw conflict(
    { group: tokenRequestKind.group, plural: tokenRequestKind.kind },
    metadata.name,
    why,
  );
}

function refuseExpiration(seconds: number): void {
  const detail =
    seconds < leastExpirationSeconds
      ? 'may not specify a duration less than 10 minutes'
      : 'may not specify a duration larger than 2^32 seconds';
  if (seconds >= leastExpirationSeconds && seconds <= mostExpirationSeconds) return;
  const message = `Invalid value: ${seconds}: ${detail}`;
  throw invalid(tokenRequestKind, '', [
    { field: 'spec.expirationSeconds', reason: 'FieldValueInvalid', message },
  ]);
}

type Bound = Omit<KubernetesClaims, 'namespace' | 'serviceaccount'>;

/** The claims about the object that the token is to live and die with. */
function bind({ store }: TokenRequestParts, account: Item, ref: BoundObjectReference): Bound {
  const { group, version } = parseApiVersion(ref.apiVersion ?? '');
  const { namespace, name } = account.metadata;
  const kind = group === '' ? ref.kind : undefined;
  const refName = ref.name ?? '';
  if (kind === 'Pod') {
    const pod = find(store, 'pods', refName, namespace);
    refusePodOfOther(pod, name);
    return { pod: claimOf(pod, ref), ...nodeOf(store, pod) };
  }
  if (kind === 'Secret')
    return { secret: claimOf(find(store, 'secrets', refName, namespace), ref) };
  if (kind === 'Node') return { node: claimOf(find(store, 'nodes', refName), ref) };
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${ref.kind}`);
}

function find(store: Store, plural: string, name: string, namespace?: string): Item {
  const item = store.collection(plural).get(namespace ? `${namespace}/${name}` : name);
  if (!item) throw notFound({ group: '', plural }, name);
  return item;
}

function refusePodOfOther(pod: Item, account: string): void {
  if ((pod as Pod).spec?.serviceAccountName === account) return;
  throw badRequest(
    `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`,
  );
}

function claimOf({ metadata: { name, uid } }: Item, ref: BoundObjectReference): ObjectClaim {
  if (!ref.uid || ref.uid === uid) return { name, uid };
  const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', plural: ref.kind ?? '' }, name, why);
}

/** The node of a pod, by name alone when there is no such node. */
function nodeOf(store: Store, pod: Item): Bound {
  const name = (pod as Pod).spec?.nodeName;
  if (!name) return {};
  const uid = store.collection('nodes').get(name)?.metadata.uid;
  return { node: { name, ...(uid !== undefined && { uid }) } };
}

interface Wanted {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound: Bound;
}

function extended({ tokens, clock }: TokenRequestParts, wanted: Wanted): Wanted {
  const isProjected =
    wanted.bound.pod !== undefined &&
    wanted.expirationSeconds === projectedExpirationSeconds &&
    wanted.audiences.every((audience) => tokens.audiences.includes(audience));
  if (!isProjected) return wanted;
  const warnafter = Math.floor(clock.now() / 1000) + projectedExpirationSeconds;
  const bound = { ...wanted.bound, warnafter };
  return { ...wanted, bound, expirationSeconds: extendedExpirationSeconds };
}

interface Issued {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly token: string;
}

/** The times are those that were asked for, whatever the token itself says. */
function present(
  { clock }: TokenRequestParts,
  account: Item,
  asked: TokenRequest,
  { audiences, expirationSeconds, token }: Issued,
): KubeObject {
  const { name, namespace, uid } = account.metadata;
  const nowMs = clock.now();
  const metadata = { ...asked.metadata, name, uid, creationTimestamp: formatTime(nowMs) };
  const boundObjectRef = asked.spec.boundObjectRef ?? null;
  const answer = {
    ...asked,
    metadata: { ...metadata, ...(namespace !== undefined && { namespace }) },
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: { token, expirationTimestamp: formatTime(nowMs + expirationSeconds * 1000) },
  };
  return answer;
}
