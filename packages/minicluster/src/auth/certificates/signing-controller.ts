import {
  CertificateSigningRequest,
  type Client,
  type Clock,
  formatTime,
  isConflict,
  type Stored,
} from '@liqo/kube';
import type { KindReader } from '../../kind-reader.ts';
import { followKind, type ObjectsByKey } from '../follow-kind.ts';
import { parseCertificateRequest } from './certificate-request.ts';
import type { ClusterAuthority } from './cluster-authority.ts';
import { signers, splitUsages } from './signers.ts';

type Request = Stored<CertificateSigningRequest>;

const longestLifetimeSeconds = 365 * 24 * 3600;
const shortestLifetimeSeconds = 600;

/** Signs what was approved, or says why not. The client needs `sign` for both signers. */
export function startCertificateSigning(
  client: Client,
  clock: Clock,
  authority: ClusterAuthority,
  reader: KindReader = client,
): AsyncDisposable {
  const reconcile = async (
    requests: ObjectsByKey<CertificateSigningRequest>,
    signal: AbortSignal,
  ) => {
    for (const request of requests.values()) {
      if (isWaiting(request)) await answer({ client, clock, authority }, request, signal);
    }
  };
  return followKind({ reader, clock, kind: CertificateSigningRequest, reconcile });
}

/** Approved, and neither signed nor given up. */
export function isWaiting({ spec, status = {} }: Request): boolean {
  const types = (status.conditions ?? []).map(({ type }) => type);
  const isApproved = types.includes('Approved') && !types.includes('Denied');
  const isDone = Boolean(status.certificate) || types.includes('Failed');
  return signers.has(spec.signerName) && isApproved && !isDone;
}

interface SigningParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly authority: ClusterAuthority;
}

async function answer(parts: SigningParts, request: Request, signal: AbortSignal): Promise<void> {
  const status = { ...request.status, ...decide(parts, request) };
  try {
    await parts.client.updateStatus(CertificateSigningRequest, { ...request, status }, signal);
  } catch (error) {
    // Somebody changed it meanwhile: the watch brings the new version, and this comes to pass again.
    if (!isConflict(error)) throw error;
  }
}

/** What to add to the status: the certificate, or the condition that says why there will be none. */
function decide(
  { clock, authority }: SigningParts,
  { spec, status }: Request,
): NonNullable<Request['status']> {
  const request = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString());
  const fault = signers.get(spec.signerName)?.(request, spec.usages ?? []);
  if (fault !== undefined) {
    const failed = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: fault,
      lastUpdateTime: formatTime(clock.now()),
    };
    return { conditions: [...(status?.conditions ?? []), failed] };
  }
  const lifetimeMs = lifetimeSeconds(spec.expirationSeconds) * 1000;
  const pem = authority.sign(request, { ...splitUsages(spec.usages ?? []), lifetimeMs });
  return { certificate: Buffer.from(pem).toString('base64') };
}

function lifetimeSeconds(asked = longestLifetimeSeconds): number {
  return Math.max(shortestLifetimeSeconds, Math.min(asked, longestLifetimeSeconds));
}
