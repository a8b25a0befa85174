import { createHash } from 'node:crypto';
import {
  bitString,
  boolean,
  childrenOf,
  contextTag,
  decode,
  decodeBitString,
  encode,
  objectIdentifier,
  octetString,
  sequence,
} from './der.ts';

export type KeyUsage = 'digital signature' | 'key encipherment' | 'cert sign' | 'crl sign';
export type ExtendedKeyUsage = 'server auth' | 'client auth';

export const subjectAltNameId = '2.5.29.17';

const keyUsageBits: Readonly<Record<KeyUsage, number>> = {
  'digital signature': 0,
  'key encipherment': 2,
  'cert sign': 5,
  'crl sign': 6,
};

export const extendedKeyUsageIds: Readonly<Record<ExtendedKeyUsage, string>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
};

/** All usages together fit into the first byte. */
export function keyUsage(usages: readonly KeyUsage[]): Buffer {
  const bits = usages.map((usage) => keyUsageBits[usage]);
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0);
  return extension('2.5.29.15', true, bitString(Buffer.of(byte), 7 - Math.max(...bits)));
}

export function extendedKeyUsage(usages: readonly ExtendedKeyUsage[]): Buffer {
  const ids = usages.map((usage) => objectIdentifier(extendedKeyUsageIds[usage]));
  return extension('2.5.29.37', false, sequence(...ids));
}

export function basicConstraints(isAuthority: boolean): Buffer {
  return extension('2.5.29.19', true, sequence(...(isAuthority ? [boolean(true)] : [])));
}

export function subjectKeyIdentifier(keyId: Buffer): Buffer {
  return extension('2.5.29.14', false, octetString(keyId));
}

export function authorityKeyIdentifier(keyId: Buffer): Buffer {
  return extension('2.5.29.35', false, sequence(encode(contextTag(0, false), keyId)));
}

export function subjectAltName(encodedNames: readonly Buffer[], isCritical: boolean): Buffer {
  return extension(subjectAltNameId, isCritical, sequence(...encodedNames));
}

/** How certificates refer to a public key (RFC 5280, 4.2.1.2). */
export function keyIdOf(publicKeyInfo: Buffer): Buffer {
  const [, key] = childrenOf(decode(publicKeyInfo));
  return createHash('sha1').update(decodeBitString(key)).digest();
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [boolean(true)] : [];
  return sequence(objectIdentifier(id), ...critical, octetString(value));
}
