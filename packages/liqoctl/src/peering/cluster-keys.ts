import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  verify,
  X509Certificate,
} from 'node:crypto';
import { fixedNames } from '@liqo/api';
import { Secret } from '@liqo/kube';
import { UserError } from '../user-error.ts';
import { attemptAt, type PeeringSide } from './peering-side.ts';

/** What proves who a consumer is. No part of the private key goes into any object, message or output. */
export interface ClusterKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys that the controllers of a cluster have made for it. */
export async function readClusterKeys(
  side: PeeringSide,
  signal: AbortSignal,
): Promise<ClusterKeys> {
  const { client, liqoNamespace: namespace, clusterID } = side;
  const key = { namespace, name: fixedNames.authenticationKeysSecret };
  const verb = `read the keys of "${clusterID}"`;
  const secret = await attemptAt(side, verb, client.get(Secret, key, signal));
  const hint = `They are in the Secret "${key.name}" of the namespace "${namespace}"; the controllers of Liqo create it where there is none`;
  const encoded = secret?.data?.privateKey;
  if (encoded === undefined) {
    const why = secret ? 'the Secret has no key "privateKey"' : 'there is no Secret with them';
    throw new UserError(`Cannot ${verb}: ${why}`, { hint });
  }
  try {
    const privateKey = createPrivateKey(Buffer.from(encoded, 'base64'));
    return { privateKey, publicKey: createPublicKey(privateKey) };
  } catch {
    // What OpenSSL says of a key may quote it.
    throw new UserError(`Cannot ${verb}: the private key cannot be read`, { hint });
  }
}

/** Ed25519 signs the text itself, the others its SHA-256. */
export function isSignatureOf(
  text: string,
  signature: string,
  { publicKey }: ClusterKeys,
): boolean {
  const algorithm = publicKey.asymmetricKeyType === 'ed25519' ? undefined : 'sha256';
  return verify(algorithm, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}

/** Whether a client certificate, as base64 of its PEM, is of the key. Whatever cannot be read is not. */
export function isCertificateOf(encoded: string, { privateKey }: ClusterKeys): boolean {
  try {
    return new X509Certificate(Buffer.from(encoded, 'base64')).checkPrivateKey(privateKey);
  } catch {
    // It comes from the provider.
    return false;
  }
}
