import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, contextTag, encode, integer, objectIdentifier, sequence, time } from './der.ts';
import { printPem } from './pem.ts';

interface CertificateContent {
  /** Encoded names. */
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly publicKeyInfo: Buffer;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Encoded extensions. */
  readonly extensions: readonly Buffer[];
}

const version3 = encode(contextTag(0, true), integer(Buffer.of(2)));
const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** A certificate (X.509 version 3) as PEM, signed with an elliptic curve key. */
export function signCertificate(content: CertificateContent, signingKey: KeyObject): string {
  const toBeSigned = sequence(
    version3,
    integer(randomBytes(16)),
    ecdsaWithSha256,
    content.issuer,
    sequence(time(content.notBeforeMs), time(content.notAfterMs)),
    content.subject,
    content.publicKeyInfo,
    encode(contextTag(3, true), sequence(...content.extensions)),
  );
  const signature = sign('sha256', toBeSigned, signingKey);
  return printPem('CERTIFICATE', sequence(toBeSigned, ecdsaWithSha256, bitString(signature)));
}
