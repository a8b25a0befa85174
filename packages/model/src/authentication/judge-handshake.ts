/** What a Tenant shows to prove that the consumer holds its key. */
export interface HandshakeFacts {
  /** Undefined when `spec.publicKey` cannot be read. */
  readonly key: { readonly weakness: string | undefined } | undefined;
  /** Whether this cluster has issued a certificate for this very key to this Tenant before. */
  readonly isAuthenticated: boolean;
  readonly nonce: 'expired' | 'missing' | 'valid';
  /** Whether the key has signed the nonce. */
  readonly isNonceSigned: boolean;
}

export type HandshakeVerdict =
  | { readonly type: 'accept' }
  /** The consumer has to do something. */
  | { readonly type: 'refuse'; readonly reason: string; readonly message: string }
  /** This cluster has to do something. */
  | { readonly type: 'wait'; readonly reason: string; readonly message: string };

/**
 * Whether the consumer holds the key of its Tenant. A nonce serves once, so it is asked for once: a Tenant that has a
 * certificate for its key renews it by a request that is signed with that key.
 */
export function judgeHandshake(facts: HandshakeFacts): HandshakeVerdict {
  const { key, isAuthenticated, nonce, isNonceSigned } = facts;
  if (!key) {
    const message = 'spec.publicKey is neither one PEM block "PUBLIC KEY" nor a bare Ed25519 key';
    return { type: 'refuse', reason: 'InvalidPublicKey', message };
  }
  if (key.weakness !== undefined) {
    return {
      type: 'refuse',
      reason: 'InvalidPublicKey',
      message: `spec.publicKey: ${key.weakness}`,
    };
  }
  if (isAuthenticated) return { type: 'accept' };
  if (nonce === 'missing') {
    const message =
      'there is no nonce to compare spec.signature with: create one with "liqoctl create nonce", have the consumer sign it, and apply the Tenant again';
    return { type: 'wait', reason: 'NonceNotFound', message };
  }
  if (nonce === 'expired' || !isNonceSigned) {
    const message =
      'spec.signature is not the signature of the current nonce by spec.publicKey. A nonce expires after 24 hours and serves one Tenant: have the consumer sign the current one, for instance with "liqoctl authenticate"';
    return { type: 'refuse', reason: 'SignatureVerificationFailed', message };
  }
  return { type: 'accept' };
}
