import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { forgeCertificateRequest, forgeSelfSigned } from '@liqo/kube/x509';
import type { KeyPair } from './key-pair.ts';

/** The node that a certificate is for, and the addresses by which it is reached. */
export interface ServedNode {
  readonly nodeName: string;
  readonly addresses: readonly string[];
}

export interface SigningRequest {
  /** As PEM. */
  readonly request: string;
  readonly privateKey: string;
}

/** A new key and the request that the signer `kubernetes.io/kubelet-serving` wants for it. */
export async function forgeSigningRequest({
  nodeName,
  addresses,
}: ServedNode): Promise<SigningRequest> {
  const key = await createKey();
  const subject = { organization: 'system:nodes', commonName: `system:node:${nodeName}` };
  const request = forgeCertificateRequest({ subject, key, addresses });
  return { request, privateKey: printKey(key) };
}

/** For a port that has to answer before, or without, a certificate of the cluster. */
export async function forgeServingCertificate(
  { nodeName, addresses }: ServedNode,
  validity: { readonly notBeforeMs: number; readonly notAfterMs: number },
): Promise<KeyPair> {
  const key = await createKey();
  const subject = { organization: 'liqo.io', commonName: `system:node:${nodeName}` };
  const certificate = forgeSelfSigned({ subject, key, addresses, ...validity });
  return { certificate, privateKey: printKey(key) };
}

async function createKey(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey;
}

function printKey(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
