import {
  hasSigned,
  readCertificate,
  readCertificateRequest,
  readPublicKey,
  readPublicKeyInfo,
} from '@liqo/kube/x509';
import type { IdentityRequestFacts, IssuedCertificate } from '@liqo/model';

// Imported when it is needed: the library that reads DER takes 40 ms to load. All texts are base64, as bytes are in JSON.

/** A public key that a consumer shows. */
export interface ShownKey {
  /** The SubjectPublicKeyInfo: equal keys are equal bytes. */
  readonly info: Uint8Array;
  readonly weakness: string | undefined;
}

export function readShownKey(publicKey: string): ShownKey | undefined {
  return readPublicKey(Buffer.from(publicKey, 'base64'));
}

export interface ReadRequest extends IdentityRequestFacts {
  readonly key: ShownKey | undefined;
}

/** Without an expected key, any key that is strong enough will do. */
export function readIdentityRequest(csr: string, expected: ShownKey | undefined): ReadRequest {
  const content = readCertificateRequest(Buffer.from(csr, 'base64').toString('latin1'));
  const key = content && readPublicKeyInfo(content.publicKey);
  const isExpected = expected === undefined || isSameKey(key, expected);
  return { content, key, hasExpectedKey: isExpected && key?.weakness === undefined };
}

export function readIssued(certificate: string, key: ShownKey): IssuedCertificate | undefined {
  const facts = readCertificate(Buffer.from(certificate, 'base64').toString('latin1'));
  return facts && { ...facts, hasExpectedKey: isSameKey(readPublicKeyInfo(facts.publicKey), key) };
}

export function isNonceSigned(nonce: string, signature: string, { info }: ShownKey): boolean {
  return hasSigned(info, Buffer.from(nonce, 'latin1'), Buffer.from(signature, 'base64'));
}

function isSameKey(one: ShownKey | undefined, other: ShownKey): boolean {
  return one !== undefined && Buffer.compare(one.info, other.info) === 0;
}
