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
import { forgePublicKey } from './forge-certificate-request.ts';
import { objectIdentifiers } from './object-identifiers.ts';
import { printPem } from './pem.ts';
import { signerOf } from './signatures.ts';

export interface CertificateParts {
  readonly subject: Subject;
  /** The private key of the subject. */
  readonly key: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** An authority, by the subject of its certificate and its private key. */
export type Issuer = Pick<CertificateParts, 'subject' | 'key'>;

/** A certificate of version 3 as PEM. */
export function forgeCertificate(
  { subject, key, notBeforeMs, notAfterMs }: CertificateParts,
  issuer: Issuer,
  extensions: readonly Sequence[],
): string {
  const signer = signerOf(issuer.key);
  const content = new Sequence({
    value: [
      tagged(0, new Integer({ value: 2 })),
      forgeSerialNumber(),
      signer.algorithm,
      forgeName(issuer.subject),
      new Sequence({ value: [forgeTime(notBeforeMs), forgeTime(notAfterMs)] }),
      forgeName(subject),
      forgePublicKey(key),
      tagged(3, new Sequence({ value: [...extensions] })),
    ],
  });
  const signature = signer.sign(new Uint8Array(content.toBER()));
  const certificate = new Sequence({
    value: [content, signer.algorithm, new BitString({ valueHex: signature })],
  });
  return printPem('CERTIFICATE', certificate.toBER());
}

/** For a key that signs nothing but handshakes, at a server. */
export function forgeServerUsage(): readonly Sequence[] {
  const digitalSignature = new BitString({ valueHex: Uint8Array.of(0x80), unusedBits: 7 });
  const serverAuth = new ObjectIdentifier({ value: objectIdentifiers.serverAuth });
  return [
    forgeExtension(objectIdentifiers.keyUsage, digitalSignature, 'critical'),
    forgeExtension(objectIdentifiers.extendedKeyUsage, new Sequence({ value: [serverAuth] })),
  ];
}

/** For a key that signs certificates of servers, and of no further authority. */
export function forgeAuthorityUsage(): readonly Sequence[] {
  const certificatesAndLists = new BitString({ valueHex: Uint8Array.of(0x06), unusedBits: 1 });
  const isAuthority = new BooleanBlock({ value: true });
  const constraints = new Sequence({ value: [isAuthority, new Integer({ value: 0 })] });
  return [
    forgeExtension(objectIdentifiers.keyUsage, certificatesAndLists, 'critical'),
    forgeExtension(objectIdentifiers.basicConstraints, constraints, 'critical'),
  ];
}

function forgeExtension(
  identifier: string,
  value: BitString | Sequence,
  critical?: 'critical',
): Sequence {
  return new Sequence({
    value: [
      new ObjectIdentifier({ value: identifier }),
      ...(critical ? [new BooleanBlock({ value: true })] : []),
      new OctetString({ valueHex: value.toBER() }),
    ],
  });
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

function tagged(tagNumber: number, block: Integer | Sequence): Constructed {
  return new Constructed({ idBlock: { tagClass: contextSpecific, tagNumber }, value: [block] });
}
