import { annotations, labels, serviceAccountTokenSecretName } from '@liqo/api';
import {
  checkLabelValue,
  formatTime,
  type Pod,
  parseTime,
  type Secret,
  type Stored,
} from '@liqo/kube';
import { apiServerAccess } from './api-server-access.ts';
import { kinshipOf } from './pod-kinship.ts';
import type { PodRoute } from './translate-pod-spec.ts';
import { serviceAccountTokenKey } from './translate-volumes.ts';

/** A token that a volume of an offloaded pod needs, to be asked for at the consumer and bound to the pod there. */
export interface WantedToken {
  /** Where it goes in the Secret at the provider. */
  readonly key: string;
  /** The one of the API server if absent. */
  readonly audience?: string;
  readonly expirationSeconds: number;
}

export interface IssuedToken extends WantedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** What to do next for the Secret with the tokens of a pod. */
export type TokenStep =
  | { readonly type: 'request'; readonly tokens: readonly WantedToken[] }
  /** The Secret of an earlier pod of that name. */
  | { readonly type: 'delete'; readonly secret: Stored<Secret> }
  /** Nothing, until this time. */
  | { readonly type: 'leave'; readonly untilMs?: number }
  | { readonly type: 'refuse'; readonly reason: 'NameTaken'; readonly message: string };

/** The tokens that a pod needs at the provider; none where it does not use the API server of the consumer. */
export function wantedTokens(local: Stored<Pod>, route: PodRoute): WantedToken[] {
  if (apiServerAccess(local, route.consumerApiServer).type !== 'consumer') return [];
  const volumes = local.spec?.volumes ?? [];
  return volumes.flatMap(({ name, projected }) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => {
      if (!serviceAccountToken) return [];
      const { audience, path } = serviceAccountToken;
      const expirationSeconds = lifetimeOf(serviceAccountToken.expirationSeconds);
      const key = serviceAccountTokenKey(name, path);
      return [{ key, expirationSeconds, ...(audience && { audience }) }];
    }),
  );
}

/** Tokens leave the cluster, so they are short-lived. */
const maxLifetimeSeconds = 3600;

/** Kubernetes issues a token of a year instead of the 3,607 seconds that its own admission puts into every pod. */
function lifetimeOf(askedSeconds: number = maxLifetimeSeconds): number {
  return Math.min(askedSeconds, maxLifetimeSeconds);
}

interface TokenContext {
  readonly route: PodRoute;
  readonly nowMs: number;
  /** Whether this process knows that their time has come, whatever the Secret at the provider says. */
  readonly isDue?: boolean;
}

/** Tokens are asked for anew when four fifths of their life have passed, or when one is missing. */
export function planTokens(
  local: Stored<Pod>,
  secret: Stored<Secret> | undefined,
  { route, nowMs, isDue = false }: TokenContext,
): TokenStep {
  const tokens = wantedTokens(local, route);
  if (tokens.length === 0) return { type: 'leave' };
  if (!secret) return { type: 'request', tokens };
  if (kinshipOf(secret, local, route) === 'stranger') return nameTaken(local, route);
  const { annotations: notes = {} } = secret.metadata;
  if (notes[annotations.serviceAccountForPodUid] !== local.metadata.uid) {
    return { type: 'delete', secret };
  }
  const toldMs = refreshAtMs(notes[annotations.serviceAccountExpiration], tokens);
  // The provider can change the annotation: nothing lives longer than what was asked for.
  const untilMs = Math.min(toldMs, nowMs + lifeSecondsOf(tokens) * 800);
  const isComplete = tokens.every(({ key }) => Object.hasOwn(secret.data ?? {}, key));
  const isGood = isComplete && !isDue && nowMs < untilMs;
  return isGood ? { type: 'leave', untilMs } : { type: 'request', tokens };
}

/** The Secret at the provider from which the volumes of the pod take their tokens. */
export function forgeTokenSecret(
  local: Stored<Pod>,
  tokens: readonly IssuedToken[],
  route: PodRoute,
): Secret {
  const { name, uid } = local.metadata;
  const expiresAtMs = earliestExpiryMs(tokens);
  const account = local.spec?.serviceAccountName ?? 'default';
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: serviceAccountTokenSecretName(name),
      namespace: route.remoteNamespace,
      labels: {
        [labels.origin]: route.consumerClusterID,
        [labels.destination]: route.providerClusterID,
        [labels.nodeName]: route.nodeName,
        // Names of accounts can be longer than labels.
        ...(checkLabelValue(account).length === 0 && { [labels.serviceAccountName]: account }),
      },
      annotations: {
        [annotations.serviceAccountForPodName]: name,
        [annotations.serviceAccountForPodUid]: uid,
        [annotations.serviceAccountExpiration]: formatTime(expiresAtMs),
      },
    },
    type: 'Opaque',
    immutable: false,
    data: Object.fromEntries(tokens.map(({ key, token }) => [key, btoa(token)])),
  };
}

/** When tokens that were issued just now are to be renewed. */
export function renewalAtMs(tokens: readonly IssuedToken[]): number {
  return earliestExpiryMs(tokens) - lifeSecondsOf(tokens) * 200;
}

/** At once, where it is not known when the tokens expire. */
function refreshAtMs(expiration: string | undefined, tokens: readonly WantedToken[]): number {
  try {
    return parseTime(expiration ?? '') - lifeSecondsOf(tokens) * 200;
  } catch {
    // Not a time: the provider has changed it.
    return Number.NEGATIVE_INFINITY;
  }
}

function earliestExpiryMs(tokens: readonly IssuedToken[]): number {
  return Math.min(...tokens.map(({ expiresAtMs }) => expiresAtMs));
}

function lifeSecondsOf(tokens: readonly WantedToken[]): number {
  return Math.min(...tokens.map(({ expirationSeconds }) => expirationSeconds));
}

function nameTaken(local: Stored<Pod>, { remoteNamespace }: PodRoute): TokenStep {
  const { name } = local.metadata;
  const secret = serviceAccountTokenSecretName(name);
  const message =
    `Cannot give pod "${name}" its tokens: namespace "${remoteNamespace}" of the provider has a Secret "${secret}" ` +
    'that was not made for this cluster';
  return { type: 'refuse', reason: 'NameTaken', message };
}
