import { createPublicKey, verify } from 'node:crypto';
import {
  type AlternativeNames,
  decodeAlternativeNames,
  noAlternativeNames,
} from './alternative-names.ts';
import {
  childrenOf,
  contextTag,
  DerError,
  decode,
  decodeBitString,
  decodeObjectIdentifier,
  type Element,
  expectTag,
  tags,
} from './der.ts';
import { type DistinguishedName, decodeName } from './distinguished-name.ts';
import { subjectAltNameId } from './extensions.ts';
import { readPem } from './pem.ts';

/** A PKCS #10 request: who wants a certificate, for which key. */
export interface CertificateRequest {
  readonly subject: DistinguishedName;
  readonly alternativeNames: AlternativeNames;
  /** As certificates contain it (SubjectPublicKeyInfo). */
  readonly publicKeyInfo: Buffer;
}

/** A request that cannot be read, or is not signed with its own key. The message is in the server's words. */
export class CertificateRequestError extends Error {
  override readonly name = 'CertificateRequestError';
}

const extensionRequestId = '1.2.840.113549.1.9.14';

interface SignatureAlgorithm {
  /** Undefined when the key brings its own. */
  readonly hash: string | undefined;
  readonly failure: string;
}

const ecdsaFailure = 'x509: ECDSA verification failure';
const rsaFailure = 'crypto/rsa: verification error';
const signatureAlgorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.10045.4.3.2': { hash: 'sha256', failure: ecdsaFailure },
  '1.2.840.10045.4.3.3': { hash: 'sha384', failure: ecdsaFailure },
  '1.2.840.10045.4.3.4': { hash: 'sha512', failure: ecdsaFailure },
  '1.2.840.113549.1.1.11': { hash: 'sha256', failure: rsaFailure },
  '1.2.840.113549.1.1.12': { hash: 'sha384', failure: rsaFailure },
  '1.2.840.113549.1.1.13': { hash: 'sha512', failure: rsaFailure },
  '1.3.101.112': { hash: undefined, failure: 'x509: Ed25519 verification failure' },
};

/** Reads a request and checks its signature: whoever made it has the private key. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [block] = readPem(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') {
    throw new CertificateRequestError('PEM block type must be CERTIFICATE REQUEST');
  }
  try {
    return readRequest(decode(block.bytes));
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new CertificateRequestError(error.message, { cause: error });
  }
}

function readRequest(element: Element): CertificateRequest {
  const [info, algorithm, signature] = childrenOf(expectTag(element, tags.sequence));
  const signed = expectTag(info, tags.sequence);
  const [, subject, publicKeyInfo, attributes] = childrenOf(signed);
  const request = {
    subject: decodeName(subject),
    alternativeNames: readAlternativeNames(attributes),
    publicKeyInfo: expectTag(publicKeyInfo, tags.sequence).encoded,
  };
  const [id] = childrenOf(expectTag(algorithm, tags.sequence));
  checkSignature(request, decodeObjectIdentifier(id), signed.encoded, decodeBitString(signature));
  return request;
}

function checkSignature(
  { publicKeyInfo }: CertificateRequest,
  algorithmId: string,
  signed: Buffer,
  signature: Buffer,
): void {
  const algorithm = signatureAlgorithms[algorithmId];
  if (!algorithm) {
    const message = 'x509: cannot verify signature: algorithm unimplemented';
    throw new CertificateRequestError(message);
  }
  if (!isSignedWith(publicKeyInfo, algorithm.hash, signed, signature)) {
    throw new CertificateRequestError(algorithm.failure);
  }
}

/** Also false for a key that is none, or of another algorithm. */
function isSignedWith(
  publicKeyInfo: Buffer,
  hash: string | undefined,
  signed: Buffer,
  signature: Buffer,
): boolean {
  try {
    const key = createPublicKey({ key: publicKeyInfo, format: 'der', type: 'spki' });
    return verify(hash, signed, key, signature);
  } catch {
    return false;
  }
}

/** From the extensions that the request asks for; it may ask for none. */
function readAlternativeNames(attributes: Element | undefined): AlternativeNames {
  if (attributes?.tag !== contextTag(0, true)) return noAlternativeNames;
  for (const attribute of childrenOf(attributes)) {
    const [id, values] = childrenOf(attribute);
    if (decodeObjectIdentifier(id) !== extensionRequestId || !values) continue;
    const [extensions] = childrenOf(values);
    const names = findExtension(expectTag(extensions, tags.sequence), subjectAltNameId);
    if (names) return decodeAlternativeNames(decode(names));
  }
  return noAlternativeNames;
}

function findExtension(extensions: Element, wanted: string): Buffer | undefined {
  for (const extension of childrenOf(extensions)) {
    const parts = childrenOf(extension);
    if (decodeObjectIdentifier(parts[0]) !== wanted) continue;
    return expectTag(parts.at(-1), tags.octetString).content;
  }
  return undefined;
}
