import {
  CertificateSigningRequest,
  type Client,
  type Clock,
  formatTime,
  isInvalid,
  keyOf,
  mergePatch,
  Secret,
  type Stored,
} from '@liqo/kube';
import {
  forgeCertificateSecret,
  forgeSigningRequest,
  type OwnerReference,
  planSigning,
  renewalDueInMs,
  type SigningStep,
  type WantedCertificate,
} from '@liqo/model';
import type { ReconcileContext } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import type { CertificateJudge, Issuance, IssuerContext } from './issue-certificate.ts';

type Request = Stored<CertificateSigningRequest>;

/** A certificate that is to be asked for. */
export interface Asked {
  readonly wanted: WantedCertificate;
  readonly owner: OwnerReference;
  readonly judge: CertificateJudge;
  /** The Secret for it, as it is. */
  readonly kept: Stored<Secret> | undefined;
}

const lookAgainMs = 60_000;

/** Takes the next step towards a new certificate: ask for it, approve what was asked for, receive it. */
export async function requestCertificate(
  context: IssuerContext,
  asked: Asked,
  run: ReconcileContext,
): Promise<Issuance> {
  const { client, clock, requests } = context;
  const { step, obsolete } = planSigning(asked.wanted, requests.list(), clock.now());
  for (const request of obsolete) {
    await removeIfThere(client, CertificateSigningRequest, request, { signal: run.signal });
  }
  switch (step.type) {
    case 'create':
      return create(context, asked.wanted, run);
    case 'approve':
      return approve(context, step.request, run);
    case 'wait':
      return waitFor(step);
    case 'receive':
      return receive(context, asked, step, run);
    case 'refused':
      return refuse('CertificateRefused', step.message);
  }
}

async function create(
  context: IssuerContext,
  wanted: WantedCertificate,
  run: ReconcileContext,
): Promise<Issuance> {
  const { client, requests } = context;
  try {
    const request = forgeSigningRequest(wanted);
    const created = await client.create(CertificateSigningRequest, request, run.signal);
    run.wrote(requests, created);
    return await approve(context, created, run);
  } catch (error) {
    if (!isInvalid(error)) throw error;
    return { type: 'refused', reason: 'InvalidCSR', message: error.message };
  }
}

async function approve(
  { client, clock, requests }: IssuerContext,
  request: Request,
  run: ReconcileContext,
): Promise<Issuance> {
  const conditions = [...(request.status?.conditions ?? []), approval(clock)];
  const approved = { ...request, status: { ...request.status, conditions } };
  run.wrote(requests, await client.updateApproval(approved, run.signal));
  return waiting(request, lookAgainMs, false);
}

type Condition = NonNullable<NonNullable<Request['status']>['conditions']>[number];

function approval(clock: Clock): Condition {
  const now = formatTime(clock.now());
  const message = 'The consumer has proved that it holds the key of its Tenant';
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  return {
    type: 'Approved',
    status: 'True',
    reason: 'IdentityManagerApproval',
    message,
    ...times,
  };
}

function waitFor({ request, lateInMs }: Extract<SigningStep, { readonly type: 'wait' }>): Issuance {
  const isLate = lateInMs <= 0;
  return waiting(request, isLate ? lookAgainMs : lateInMs, isLate);
}

function waiting({ metadata }: Request, checkInMs: number, isLate: boolean): Issuance {
  const message = isLate
    ? `the signer of this cluster has not answered the CertificateSigningRequest "${metadata.name}": does kube-controller-manager sign certificates?`
    : `waiting for the certificate of "${metadata.name}"`;
  return { type: 'waiting', message, isLate, checkInMs };
}

/** The certificate is kept before its request goes. */
async function receive(
  context: IssuerContext,
  { wanted, owner, judge, kept }: Asked,
  { request, certificate }: Extract<SigningStep, { readonly type: 'receive' }>,
  { signal }: ReconcileContext,
): Promise<Issuance> {
  const { client, clock } = context;
  const facts = judge.read(certificate);
  const problem = judge.problemOf(facts);
  if (problem !== undefined || !facts) {
    const message = `${problem ?? 'there is no certificate'}: see the CertificateSigningRequest "${request.metadata.name}"`;
    return refuse('UnexpectedCertificate', message);
  }
  await keep(client, kept, forgeCertificateSecret(wanted, certificate, owner), signal);
  await removeIfThere(client, CertificateSigningRequest, request, { signal });
  const checkInMs = Math.max(0, renewalDueInMs(facts, clock.now()));
  return { type: 'issued', certificate, notAfterMs: facts.notAfterMs, checkInMs };
}

async function keep(
  client: Client,
  kept: Stored<Secret> | undefined,
  secret: Secret,
  signal: AbortSignal,
): Promise<void> {
  if (!kept) return void (await client.create(Secret, secret, signal));
  const { uid, resourceVersion } = kept.metadata;
  const { labels = {}, ownerReferences = [] } = secret.metadata ?? {};
  const owners = ownerReferences.map((owner) => ({ ...owner }));
  const metadata = { uid, resourceVersion, labels, ownerReferences: owners };
  const patch = mergePatch({ metadata, data: { ...secret.data } });
  await client.patch(Secret, keyOf(kept), patch, { signal });
}

function refuse(reason: string, message: string): Issuance {
  return { type: 'refused', reason, message };
}
