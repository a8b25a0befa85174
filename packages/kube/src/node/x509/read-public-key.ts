import { createPublicKey, type KeyObject } from 'node:crypto';
import { readOnlyBlock } from './pem.ts';

export interface PublicKeyFacts {
  /** The SubjectPublicKeyInfo in its only form, so that equal keys are equal bytes. */
  readonly info: Uint8Array;
  /** Why the key is refused though it can be read: it is of an unknown type, or too weak. */
  readonly weakness: string | undefined;
}

/** Before the first 32 bytes of an Ed25519 key, in a SubjectPublicKeyInfo. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');
const ed25519Bytes = 32;
const longestKey = 16_384;
const shortestRsaBits = 2_048;
const knownCurves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** A PEM block `PUBLIC KEY`, or a bare Ed25519 key. Undefined for anything else. Never throws. */
export function readPublicKey(bytes: Uint8Array): PublicKeyFacts | undefined {
  if (bytes.length > longestKey) return undefined;
  const info =
    bytes.length === ed25519Bytes
      ? Buffer.concat([ed25519Prefix, bytes])
      : readOnlyBlock('PUBLIC KEY', Buffer.from(bytes).toString('latin1'));
  return info && readPublicKeyInfo(info);
}

/** From a SubjectPublicKeyInfo. */
export function readPublicKeyInfo(info: Uint8Array): PublicKeyFacts | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' });
    return { info: key.export({ format: 'der', type: 'spki' }), weakness: weaknessOf(key) };
  } catch {
    return undefined;
  }
}

function weaknessOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {};
  switch (asymmetricKeyType) {
    case 'ed25519':
      return undefined;
    case 'rsa':
      return modulusLength < shortestRsaBits
        ? `an RSA key has at least ${shortestRsaBits} bits, and this one ${modulusLength}`
        : undefined;
    case 'ec':
      return knownCurves.has(namedCurve) ? undefined : `the curve "${namedCurve}" is not known`;
    default:
      return `a key of type "${asymmetricKeyType}" is not accepted`;
  }
}
