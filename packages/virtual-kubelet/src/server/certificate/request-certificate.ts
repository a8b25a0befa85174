import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  CertificateSigningRequest,
  type Client,
  type Clock,
  deadline,
  findCondition,
  type Stored,
} from '@liqo/kube';
import { forgeSigningRequest, type ServedNode } from './forge-certificates.ts';
import type { KeyPair } from './key-pair.ts';

/** How long an approval is waited for before another request is made. */
const patienceMs = 15 * 60_000;

export interface CertificateQuestion extends ServedNode {
  readonly client: Client;
  readonly clock: Clock;
  readonly signerName: string;
}

/** Asks the cluster for a certificate with a new key, and waits until somebody approves and signs. Throws when nobody does. */
export async function requestCertificate(
  question: CertificateQuestion,
  signal: AbortSignal,
): Promise<KeyPair> {
  const { client, clock, signerName } = question;
  const { request, privateKey } = await forgeSigningRequest(question);
  const created = await client.create(
    CertificateSigningRequest,
    {
      metadata: { generateName: 'csr-' },
      spec: {
        request: Buffer.from(request).toString('base64'),
        signerName,
        usages: ['digital signature', 'server auth'],
      },
    },
    signal,
  );
  const what = `Cannot get the certificate "${created.metadata.name}"`;
  using patience = deadline(clock, patienceMs, `${what}: nobody has answered within 15 min`);
  const enough = AbortSignal.any([signal, patience.signal]);
  const certificate = await waitForCertificate(client, created, enough);
  if (!belongs(certificate, privateKey)) throw new Error(`${what}: it is for another key`);
  return { certificate, privateKey };
}

async function waitForCertificate(
  client: Client,
  created: Stored<CertificateSigningRequest>,
  signal: AbortSignal,
): Promise<string> {
  const { name, resourceVersion } = created.metadata;
  const selection = { fieldSelector: `metadata.name=${name}`, resourceVersion };
  for await (const event of client.watch(CertificateSigningRequest, selection, signal)) {
    if (event.type === 'BOOKMARK') continue;
    const { status } = event.object;
    if (status?.certificate) return Buffer.from(status.certificate, 'base64').toString();
    const why = event.type === 'DELETED' ? 'it was deleted' : whyNot(event.object);
    if (why) throw new Error(`Cannot get the certificate "${name}": ${why}`);
  }
  signal.throwIfAborted();
  throw new Error(`Cannot get the certificate "${name}": the watch ended`);
}

function whyNot({ status }: CertificateSigningRequest): string | undefined {
  for (const type of ['Denied', 'Failed'] as const) {
    const condition = findCondition(status?.conditions, type);
    if (condition) return `${type.toLowerCase()}: ${condition.message ?? condition.reason ?? ''}`;
  }
  return undefined;
}

function belongs(certificate: string, privateKey: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
}
