import { annotations, labels } from '@liqo/api';
import {
  type CertificateSigningRequest,
  deepEqual,
  findCondition,
  keyString,
  type ObjectKey,
  parseTime,
  type Stored,
} from '@liqo/kube';

type Request = Stored<CertificateSigningRequest>;

/** A certificate that is wanted of the signer of this cluster. */
export interface WantedCertificate {
  /** PEM, base64. */
  readonly csr: string;
  readonly consumerClusterID: string;
  /** The Secret that keeps it. */
  readonly secret: ObjectKey;
}

const signerName = 'kubernetes.io/kube-apiserver-client';
const usages = ['digital signature', 'key encipherment', 'client auth'];

/** All requests of this kind. */
export const tenantRequestSelector = labels.remoteTenantCsr;

export function forgeSigningRequest(wanted: WantedCertificate): CertificateSigningRequest {
  return {
    metadata: {
      generateName: 'liqo-identity-',
      labels: {
        [labels.remoteTenantCsr]: 'true',
        [labels.remoteClusterID]: wanted.consumerClusterID,
      },
      annotations: { [annotations.certificateSecret]: keyString(wanted.secret) },
    },
    spec: { request: wanted.csr, signerName, usages: [...usages] },
  };
}

/** The Secret for whose certificate a request was made. */
export function certificateSecretOf({ metadata }: CertificateSigningRequest): string | undefined {
  return metadata?.annotations?.[annotations.certificateSecret];
}

export type SigningStep =
  | { readonly type: 'create' }
  | { readonly type: 'approve'; readonly request: Request }
  /** Late when it is not positive. */
  | { readonly type: 'wait'; readonly request: Request; readonly lateInMs: number }
  | { readonly type: 'receive'; readonly request: Request; readonly certificate: string }
  | { readonly type: 'refused'; readonly request: Request; readonly message: string };

export interface SigningPlan {
  readonly step: SigningStep;
  /** Requests of ours that serve nothing any more. */
  readonly obsolete: readonly Request[];
}

/** A signer answers within a second or so. */
const signedWithinMs = 30_000;

/**
 * The next step towards a certificate. A refused request stays: Kubernetes removes it after an hour, and then the next one is
 * created. Made by anyone, only a request for exactly what is wanted is approved.
 */
export function planSigning(
  wanted: WantedCertificate,
  requests: readonly Request[],
  nowMs: number,
): SigningPlan {
  const mine = requestsFor(wanted.secret, requests);
  const matching = mine.filter((request) => asksFor(request, wanted));
  const [oldest] = matching.toSorted((one, other) => (age(one) < age(other) ? -1 : 1));
  const obsolete = mine.filter((request) => request !== oldest);
  return { step: oldest ? nextStep(oldest, nowMs) : { type: 'create' }, obsolete };
}

export function requestsFor(secret: ObjectKey, requests: readonly Request[]): readonly Request[] {
  const key = keyString(secret);
  return requests.filter((request) => certificateSecretOf(request) === key);
}

function asksFor({ spec }: Request, { csr }: WantedCertificate): boolean {
  return (
    spec.request === csr &&
    spec.signerName === signerName &&
    spec.expirationSeconds === undefined &&
    deepEqual(spec.usages, usages)
  );
}

function nextStep(request: Request, nowMs: number): SigningStep {
  const message = refusalOf(request);
  if (message !== undefined) return { type: 'refused', request, message };
  const { conditions, certificate } = request.status ?? {};
  if (!findCondition(conditions, 'Approved')) return { type: 'approve', request };
  if (certificate) return { type: 'receive', request, certificate };
  const lateAtMs = parseTime(request.metadata.creationTimestamp) + signedWithinMs;
  return { type: 'wait', request, lateInMs: lateAtMs - nowMs };
}

function refusalOf({ metadata, status }: Request): string | undefined {
  const conditions = status?.conditions;
  const refusal = findCondition(conditions, 'Denied') ?? findCondition(conditions, 'Failed');
  if (!refusal) return undefined;
  const { type, reason = '', message = '' } = refusal;
  const why = [reason, message].filter(Boolean).join(': ');
  return `the CertificateSigningRequest "${metadata.name}" is ${type}: ${why}`;
}

function age({ metadata }: Request): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
