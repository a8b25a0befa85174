import { type KeyObject, sign } from 'node:crypto';

/** Ed25519 over the text itself, RSA with PKCS #1 v1.5 over its SHA-256: both give the same signature each time. */
export function signNonce(nonce: string, key: KeyObject): string {
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'sha256' : undefined;
  return sign(algorithm, Buffer.from(nonce), key).toString('base64');
}
