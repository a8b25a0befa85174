import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  BitString,
  Constructed,
  Integer,
  ObjectIdentifier,
  Sequence,
  Set as SetBlock,
} from 'asn1js';
import { forgeAlternativeNames, type ServerNames } from './alternative-names.ts';
import { contextSpecific, decodeDer } from './der.ts';
import { forgeName, type Subject } from './distinguished-name.ts';
import { objectIdentifiers } from './object-identifiers.ts';
import { printPem } from './pem.ts';
import { signerOf } from './signatures.ts';

export interface CertificateRequestParts {
  readonly subject: Subject;
  /** The private key. */
  readonly key: KeyObject;
  /** IP addresses for the extension subjectAltName. */
  readonly addresses?: readonly string[];
}

/**
 * A PKCS #10 request as PEM. For an Ed25519 or RSA key the same parts give the same text: a provider that runs Liqo compares
 * requests byte by byte, and refuses a changed one.
 */
export function forgeCertificateRequest(parts: CertificateRequestParts): string {
  const signer = signerOf(parts.key);
  const info = new Sequence({
    value: [
      new Integer({ value: 0 }),
      forgeName(parts.subject),
      forgePublicKey(parts.key),
      attributesOf(parts),
    ],
  });
  const signature = signer.sign(new Uint8Array(info.toBER()));
  const request = new Sequence({
    value: [info, signer.algorithm, new BitString({ valueHex: signature })],
  });
  return printPem('CERTIFICATE REQUEST', request.toBER());
}

/** The SubjectPublicKeyInfo of a private key. */
export function forgePublicKey(key: KeyObject) {
  return decodeDer(createPublicKey(key).export({ format: 'der', type: 'spki' }));
}

function attributesOf({ addresses = [] }: CertificateRequestParts): Constructed {
  const value = addresses.length > 0 ? [extensionRequest(addresses)] : [];
  return new Constructed({ idBlock: { tagClass: contextSpecific, tagNumber: 0 }, value });
}

function extensionRequest(addresses: readonly string[]): Sequence {
  const identifier = new ObjectIdentifier({ value: objectIdentifiers.extensionRequest });
  const extensions = new Sequence({ value: [forgeSubjectAltName({ addresses })] });
  return new Sequence({ value: [identifier, new SetBlock({ value: [extensions] })] });
}

export function forgeSubjectAltName(names: ServerNames): Sequence {
  const identifier = new ObjectIdentifier({ value: objectIdentifiers.subjectAltName });
  return new Sequence({ value: [identifier, forgeAlternativeNames(names)] });
}
