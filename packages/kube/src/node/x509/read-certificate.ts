import { X509Certificate } from 'node:crypto';
import { type BaseBlock, Constructed } from 'asn1js';
import { contextTagOf, decodeDer, encodedBytes, sequenceOf } from './der.ts';
import { readName } from './distinguished-name.ts';

/** What a certificate says of its holder, and for how long. */
export interface CertificateFacts {
  /** The relative names of the subject, in order, each with its attributes as `CN=…`. */
  readonly subject: readonly (readonly string[])[];
  /** The SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** A chain of intermediate authorities included. */
const longestCertificate = 65_536;

/** Of the first certificate of a PEM text; undefined when there is none that can be read. Its signature is not checked. */
export function readCertificate(pem: string): CertificateFacts | undefined {
  if (pem.length > longestCertificate) return undefined;
  try {
    const certificate = new X509Certificate(pem);
    const fields = fieldsOf(decodeDer(certificate.raw));
    const [notBeforeMs, notAfterMs] = [certificate.validFrom, certificate.validTo].map(Date.parse);
    if (Number.isNaN(notBeforeMs) || Number.isNaN(notAfterMs)) return undefined;
    return { ...fields, notBeforeMs: notBeforeMs ?? 0, notAfterMs: notAfterMs ?? 0 };
  } catch {
    // Every way in which bytes are no certificate has the same answer.
    return undefined;
  }
}

function fieldsOf(certificate: BaseBlock): Pick<CertificateFacts, 'publicKey' | 'subject'> {
  const [content] = sequenceOf(certificate);
  const [first, ...rest] = sequenceOf(content);
  const hasVersion = first instanceof Constructed && contextTagOf(first) === 0;
  // Serial number, algorithm, issuer, validity, subject, key.
  const [, , , , subject, publicKey] = hasVersion ? rest : [first, ...rest];
  if (!publicKey) throw new Error('a field is missing');
  return { subject: readName(subject), publicKey: encodedBytes(publicKey) };
}
