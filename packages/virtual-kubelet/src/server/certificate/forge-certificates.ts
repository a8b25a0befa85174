import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyPair } from './key-pair.ts';

/** Whom a certificate is for: a node that is reached by these addresses. */
export interface ServedNode {
  readonly nodeName: string;
  readonly addresses: readonly string[];
}

export interface SigningRequest {
  /** As PEM. */
  readonly request: string;
  readonly privateKey: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A new key and the request that the signer `kubernetes.io/kubelet-serving` wants for it. */
export async function forgeSigningRequest(node: ServedNode): Promise<SigningRequest> {
  const keys = await createKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: [`system:node:${node.nodeName}`] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [addressesOf(node)],
  });
  return { request: request.toString('pem'), privateKey: await printKey(keys.privateKey) };
}

/** For a port that has to answer before, or without, anybody who signs. */
export async function forgeSelfSigned(
  node: ServedNode,
  validity: { readonly notBeforeMs: number; readonly notAfterMs: number },
): Promise<KeyPair> {
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['liqo.io'] }, { CN: [`system:node:${node.nodeName}`] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(validity.notBeforeMs),
    notAfter: new Date(validity.notAfterMs),
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      addressesOf(node),
    ],
  });
  return { certificate: certificate.toString('pem'), privateKey: await printKey(keys.privateKey) };
}

function addressesOf({ addresses }: ServedNode): SubjectAlternativeNameExtension {
  return new SubjectAlternativeNameExtension(
    addresses.map((value) => ({ type: 'ip', value }) as const),
  );
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function printKey(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
