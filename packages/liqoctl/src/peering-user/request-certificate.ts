import { labels } from '@liqo/api';
import {
  CertificateSigningRequest,
  type Clock,
  findCondition,
  formatTime,
  type Stored,
} from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';
import {
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from '../peering/peering-side.ts';
import { making } from '../peering/traces.ts';
import { UserError } from '../user-error.ts';

interface CertificateWish {
  /** Of the CertificateSigningRequest. */
  readonly name: string;
  /** PEM. */
  readonly request: string;
}

type Request = Stored<CertificateSigningRequest>;

/** Has Kubernetes sign a client certificate. The request is approved right away: the person who runs this asks for it. */
export async function requestCertificate(
  context: StepContext,
  side: PeeringSide,
  { name, request }: CertificateWish,
): Promise<string> {
  const { client } = side;
  const { signal, clock } = context;
  const step = {
    verb: `create the CertificateSigningRequest "${name}"`,
    doing: 'Asking for a certificate',
    done: 'Certificate is asked for, and approved',
    trace: making(`the CertificateSigningRequest "${name}"`),
  };
  await workStep(context, side, step, async () => {
    const created = await client.create(CertificateSigningRequest, forge(name, request), signal);
    await client.updateApproval(approved(created, clock), signal);
  });
  return waitForControllers(context, side, {
    doing: 'Waiting for the certificate',
    done: 'Certificate is issued',
    look: async (stop) => lookAt(await client.get(CertificateSigningRequest, { name }, stop)),
    hint: `See what holds it up: kubectl describe csr ${name}`,
  });
}

function forge(name: string, request: string): CertificateSigningRequest {
  return {
    metadata: { name, labels: { [labels.peeringUserName]: name } },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['digital signature', 'key encipherment', 'client auth'],
    },
  };
}

function approved(request: Request, clock: Clock): CertificateSigningRequest {
  const now = formatTime(clock.now());
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'PeeringUser',
    message: 'liqoctl generate peering-user asked for it',
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  return { ...request, status: { ...request.status, conditions: [condition] } };
}

function lookAt(request: Request | undefined): Look<string> {
  if (!request)
    throw new UserError('Cannot wait for the certificate: its request was deleted', {
      hint: 'Run it again',
    });
  const { certificate, conditions } = request.status ?? {};
  if (certificate) return { done: Buffer.from(certificate, 'base64').toString() };
  const failed = findCondition(conditions, 'Failed') ?? findCondition(conditions, 'Denied');
  if (failed) return { notYet: failed.message ?? failed.type, isRefusal: true };
  return { notYet: 'the signer of the cluster has not signed it yet' };
}
