import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { fixedNames, labels } from '@liqo/api';
import type { Secret } from '@liqo/kube';

/** RSA for clusters whose API servers, or the proxies before them, do not take Ed25519 client certificates. */
type ClusterKeyType = 'ed25519' | 'rsa';

/** What proves who this cluster is, to all of its peers. */
export interface ClusterKeys {
  readonly privateKey: KeyObject;
  /** As the Secret has it: PKCS #8. */
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
}

const rsaBits = 2048;

export type ReadKeys =
  | { readonly type: 'keys'; readonly keys: ClusterKeys }
  | { readonly type: 'problem'; readonly message: string };

/** The keys in the Secret `authentication-keys`. A problem names no part of them. */
export function readClusterKeys({ data = {} }: Secret): ReadKeys {
  const privateKeyPem = decode(data.privateKey);
  const publicKeyPem = decode(data.publicKey);
  if (!privateKeyPem.startsWith('-----BEGIN PRIVATE KEY-----')) {
    return problem('its key "privateKey" is not a PKCS #8 private key in PEM');
  }
  try {
    const privateKey = createPrivateKey(privateKeyPem);
    if (!isSupported(privateKey)) {
      return problem(`its private key is neither Ed25519 nor RSA of ${rsaBits} bits or more`);
    }
    if (spkiOf(createPublicKey(privateKey)) !== spkiOf(createPublicKey(publicKeyPem))) {
      return problem('its public key is not that of its private key');
    }
    return { type: 'keys', keys: { privateKey, privateKeyPem, publicKeyPem } };
  } catch {
    // What OpenSSL says may quote the key.
    return problem('its keys cannot be read');
  }
}

/** A new private key. Its chance is that of the operating system, whatever the rest of the process is given. */
export function generateClusterKey(type: ClusterKeyType): KeyObject {
  return type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: rsaBits }).privateKey
    : generateKeyPairSync('ed25519').privateKey;
}

/** The Secret for a private key, and a name for the key that no other one has. */
export function forgeClusterKeys(
  privateKey: KeyObject,
  namespace: string,
): { readonly secret: Secret; readonly fingerprint: string } {
  const publicKey = createPublicKey(privateKey);
  const metadata = {
    name: fixedNames.authenticationKeysSecret,
    namespace,
    labels: { [labels.managed]: 'true' },
  };
  const data = {
    privateKey: encode(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    publicKey: encode(publicKey.export({ format: 'pem', type: 'spki' })),
  };
  const fingerprint = createHash('sha256').update(spkiOf(publicKey)).digest('hex');
  return { secret: { metadata, type: 'Opaque', data }, fingerprint };
}

/** ECDSA signatures differ each time, and a provider that runs Liqo refuses a request whose bytes have changed. */
function isSupported({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ed25519') return true;
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBits;
}

function spkiOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

function problem(message: string): ReadKeys {
  return { type: 'problem', message };
}

function decode(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString();
}

function encode(pem: string | Buffer): string {
  return Buffer.from(pem).toString('base64');
}
