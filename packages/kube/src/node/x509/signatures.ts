import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { Null, ObjectIdentifier, Sequence } from 'asn1js';

/** By key type and, where there is a choice, by hash. */
interface SignatureAlgorithm {
  readonly identifier: string;
  readonly keyType: 'ec' | 'ed25519' | 'rsa';
  /** Undefined when the key brings its own. */
  readonly hash: string | undefined;
}

const algorithms: readonly SignatureAlgorithm[] = [
  { identifier: '1.3.101.112', keyType: 'ed25519', hash: undefined },
  { identifier: '1.2.840.113549.1.1.11', keyType: 'rsa', hash: 'sha256' },
  { identifier: '1.2.840.113549.1.1.12', keyType: 'rsa', hash: 'sha384' },
  { identifier: '1.2.840.113549.1.1.13', keyType: 'rsa', hash: 'sha512' },
  { identifier: '1.2.840.10045.4.3.2', keyType: 'ec', hash: 'sha256' },
  { identifier: '1.2.840.10045.4.3.3', keyType: 'ec', hash: 'sha384' },
  { identifier: '1.2.840.10045.4.3.4', keyType: 'ec', hash: 'sha512' },
];

export interface Signer {
  /** The AlgorithmIdentifier. */
  readonly algorithm: Sequence;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** The signature scheme of a private key; throws for a key type that Kubernetes does not accept. */
export function signerOf(key: KeyObject): Signer {
  const found = algorithms.find(({ keyType }) => keyType === key.asymmetricKeyType);
  if (!found) throw new Error(`Cannot sign with a key of type "${key.asymmetricKeyType}"`);
  const parameters = found.keyType === 'rsa' ? [new Null()] : [];
  return {
    algorithm: new Sequence({
      value: [new ObjectIdentifier({ value: found.identifier }), ...parameters],
    }),
    sign: (bytes) => sign(found.hash, bytes, key),
  };
}

/** False also for a key that cannot be read, and for an algorithm that is not one of the key. */
export function isSignedBy(
  publicKeyInfo: Uint8Array,
  identifier: string,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  const algorithm = algorithms.find((known) => known.identifier === identifier);
  if (!algorithm) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKeyInfo), format: 'der', type: 'spki' });
    return (
      key.asymmetricKeyType === algorithm.keyType && verify(algorithm.hash, signed, key, signature)
    );
  } catch {
    return false;
  }
}

/**
 * Whether the holder of the key has signed the message: Ed25519, RSA (PKCS #1 v1.5) or ECDSA (ASN.1), the last two over its
 * SHA-256. False also for a key that cannot be read.
 */
export function hasSigned(
  publicKeyInfo: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return algorithms
    .filter(({ hash }) => hash === undefined || hash === 'sha256')
    .some(({ identifier }) => isSignedBy(publicKeyInfo, identifier, message, signature));
}
