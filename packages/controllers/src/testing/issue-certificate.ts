import 'reflect-metadata';
import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { type JsonName, X509CertificateGenerator } from '@peculiar/x509';

export interface IssuedParts {
  /** Private. */
  readonly key: KeyObject;
  readonly name: JsonName;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate of an authority that is not kept, as the base64 of its PEM. */
export async function issueCertificate(parts: IssuedParts): Promise<string> {
  const { key, name, notBeforeMs, notAfterMs } = parts;
  const authority = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: name,
    issuer: [{ CN: ['test'] }],
    notBefore: new Date(notBeforeMs),
    notAfter: new Date(notAfterMs),
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    publicKey: await importPublicKey(key),
  });
  return Buffer.from(`${certificate.toString('pem')}\n`).toString('base64');
}

function importPublicKey(key: KeyObject) {
  const spki = createPublicKey(key.export({ format: 'pem', type: 'pkcs8' })).export({
    format: 'der',
    type: 'spki',
  });
  const isRsa = key.asymmetricKeyType === 'rsa';
  const form = isRsa ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : { name: 'Ed25519' };
  return webcrypto.subtle.importKey('spki', spki, form, true, ['verify']);
}
