import { type KeyObject, randomBytes } from 'node:crypto';
import {
  BitString,
  Boolean as BooleanBlock,
  Constructed,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  UTCTime,
} from 'asn1js';
import { contextSpecific } from './der.ts';
import { forgeName, type Subject } from './distinguished-name.ts';
import { forgePublicKey, forgeSubjectAltName } from './forge-certificate-request.ts';
import { objectIdentifiers } from './object-identifiers.ts';
import { printPem } from './pem.ts';
import { signerOf } from './signatures.ts';

export interface SelfSignedParts {
  readonly subject: Subject;
  /** The private key. */
  readonly key: KeyObject;
  /** The IP addresses of the server. */
  readonly addresses: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** A serving certificate that is its own authority, as PEM. */
export function forgeSelfSigned(parts: SelfSignedParts): string {
  const signer = signerOf(parts.key);
  const name = forgeName(parts.subject);
  const validity = [forgeTime(parts.notBeforeMs), forgeTime(parts.notAfterMs)];
  const content = new Sequence({
    value: [
      tagged(0, new Integer({ value: 2 })),
      forgeSerialNumber(),
      signer.algorithm,
      name,
      new Sequence({ value: validity }),
      name,
      forgePublicKey(parts.key),
      tagged(3, forgeExtensions(parts.addresses)),
    ],
  });
  const signature = signer.sign(new Uint8Array(content.toBER()));
  const certificate = new Sequence({
    value: [content, signer.algorithm, new BitString({ valueHex: signature })],
  });
  return printPem('CERTIFICATE', certificate.toBER());
}

/** Positive, and without a leading zero byte. */
function forgeSerialNumber(): Integer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return new Integer({ valueHex: bytes });
}

/** RFC 5280: UTCTime through 2049. */
function forgeTime(ms: number): UTCTime | GeneralizedTime {
  const valueDate = new Date(Math.floor(ms / 1000) * 1000);
  return valueDate.getUTCFullYear() < 2050
    ? new UTCTime({ valueDate })
    : new GeneralizedTime({ valueDate });
}

function forgeExtensions(addresses: readonly string[]): Sequence {
  const digitalSignature = new BitString({ valueHex: Uint8Array.of(0x80), unusedBits: 7 });
  const serverAuth = new ObjectIdentifier({ value: objectIdentifiers.serverAuth });
  return new Sequence({
    value: [
      new Sequence({
        value: [
          new ObjectIdentifier({ value: objectIdentifiers.keyUsage }),
          new BooleanBlock({ value: true }),
          new OctetString({ valueHex: digitalSignature.toBER() }),
        ],
      }),
      new Sequence({
        value: [
          new ObjectIdentifier({ value: objectIdentifiers.extendedKeyUsage }),
          new OctetString({ valueHex: new Sequence({ value: [serverAuth] }).toBER() }),
        ],
      }),
      forgeSubjectAltName(addresses),
    ],
  });
}

function tagged(tagNumber: number, block: Integer | Sequence): Constructed {
  return new Constructed({ idBlock: { tagClass: contextSpecific, tagNumber }, value: [block] });
}
