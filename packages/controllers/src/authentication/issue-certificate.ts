import {
  CertificateSigningRequest,
  type Client,
  type Clock,
  type ObjectKey,
  Secret,
} from '@liqo/kube';
import {
  type IdentitySubject,
  type IssuedCertificate,
  judgeCertificate,
  judgeIdentityRequest,
  type OwnerReference,
  renewalDueInMs,
  requestsFor,
} from '@liqo/model';
import type { Informer, ReconcileContext } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { requestCertificate } from './request-certificate.ts';

/** An identity of a consumer at this cluster. All texts are base64, as bytes are in JSON. */
export interface WantedIdentity {
  readonly subject: IdentitySubject;
  readonly consumerClusterID: string;
  /** PEM. */
  readonly csr: string;
  /** That of the Tenant; undefined where the consumer need not prove which key it holds. */
  readonly publicKey: string | undefined;
  /** Which Secret keeps the certificate. */
  readonly secret: ObjectKey;
  /** What the certificate is for: in the namespace of the Secret, which goes with it. */
  readonly owner: OwnerReference;
}

export type Issuance =
  | {
      readonly type: 'issued';
      /** PEM, base64. */
      readonly certificate: string;
      readonly notAfterMs: number;
      /** When to ask again: the certificate is renewed then, or a newer one is still to come. */
      readonly checkInMs: number;
      /** Why there is no newer one although it is due. */
      readonly problem?: string;
    }
  | {
      readonly type: 'waiting';
      readonly message: string;
      /** Whether it takes longer than it should. */
      readonly isLate: boolean;
      readonly checkInMs: number;
    }
  | { readonly type: 'refused'; readonly reason: string; readonly message: string };

export interface IssuerContext {
  readonly client: Client;
  readonly clock: Clock;
  /** All of `tenantRequestSelector`. */
  readonly requests: Informer<CertificateSigningRequest>;
}

/** How to read a certificate, and what is wrong with it. */
export interface CertificateJudge {
  readonly read: (certificate: string) => IssuedCertificate | undefined;
  readonly problemOf: (certificate: IssuedCertificate | undefined) => string | undefined;
}

/**
 * Issues a client certificate by the certificates API of this cluster. Each call takes the next step; it is to be called again
 * when a request changes. Safe to die after each write: a request is found again by the Secret that it names.
 */
export async function issueCertificate(
  context: IssuerContext,
  identity: WantedIdentity,
  run: ReconcileContext,
): Promise<Issuance> {
  const { client, clock } = context;
  const judge = await prepare(identity, () => clock.now());
  if ('type' in judge) return judge;
  const kept = await client.get(Secret, identity.secret, run.signal);
  const certificate = kept?.data?.certificate ?? '';
  const known = judge.read(certificate);
  const current = judge.problemOf(known) === undefined ? known : undefined;
  const dueInMs = current ? renewalDueInMs(current, clock.now()) : 0;
  if (current && dueInMs > 0) {
    await withdrawRequests(context, identity.secret, run);
    const { notAfterMs } = current;
    return { type: 'issued', certificate, notAfterMs, checkInMs: dueInMs };
  }
  const { consumerClusterID, secret, owner } = identity;
  // The API server gives it back in this form, whatever form it was given.
  const csr = Buffer.from(identity.csr, 'base64').toString('base64');
  const wanted = { csr, consumerClusterID, secret };
  const next = await requestCertificate(context, { wanted, owner, judge, kept }, run);
  return current && next.type !== 'issued' ? stillValid(certificate, current, next) : next;
}

/** Removes what was asked for and is not needed any more. */
export async function withdrawRequests(
  { client, requests }: IssuerContext,
  secret: ObjectKey,
  { signal }: ReconcileContext,
): Promise<void> {
  for (const request of requestsFor(secret, requests.list())) {
    await removeIfThere(client, CertificateSigningRequest, request, { signal });
  }
}

type Refused = Extract<Issuance, { readonly type: 'refused' }>;

async function prepare(
  { csr, publicKey, subject }: WantedIdentity,
  now: () => number,
): Promise<CertificateJudge | Refused> {
  const { readIdentityRequest, readIssued, readShownKey } = await import('./read-identity.ts');
  const expected = publicKey === undefined ? undefined : readShownKey(publicKey);
  if (publicKey !== undefined && !expected) {
    return refused('InvalidPublicKey', 'the public key of the Tenant cannot be read');
  }
  const request = readIdentityRequest(csr, expected);
  const problem = judgeIdentityRequest(request, subject);
  const { key } = request;
  if (problem !== undefined || !key) return refused('InvalidCSR', problem ?? 'it has no key');
  return {
    read: (certificate) => readIssued(certificate, key),
    problemOf: (certificate) => judgeCertificate(certificate, subject, now()),
  };
}

function refused(reason: string, message: string): Refused {
  return { type: 'refused', reason, message };
}

/** A new certificate is due and there is none yet, but the old one is good for some time. */
function stillValid(
  certificate: string,
  { notAfterMs }: IssuedCertificate,
  next: Exclude<Issuance, { readonly type: 'issued' }>,
): Issuance {
  const checkInMs = next.type === 'waiting' ? next.checkInMs : renewalRetryMs;
  const isProblem = next.type === 'refused' || next.isLate;
  return {
    type: 'issued',
    certificate,
    notAfterMs,
    checkInMs,
    ...(isProblem && { problem: next.message }),
  };
}

const renewalRetryMs = 10 * 60_000;
