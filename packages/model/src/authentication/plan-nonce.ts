import { sha256 } from '../sha256.ts';
import type { NonceRecord } from './nonce-record.ts';

export type NonceStep =
  | { readonly type: 'keep'; readonly expiresInMs: number }
  /** A new one takes its place. */
  | { readonly type: 'issue'; readonly reason: NonceReason };

export type NonceReason =
  /** There is none. */
  | 'NonceGenerated'
  /** Not used in time. */
  | 'NonceExpired'
  /** Used, or never issued by this cluster. */
  | 'NonceReplaced';

/** What a Secret for a nonce needs. The nonce is the text in the Secret, not the bytes that it encodes. */
export function planNonce(
  nonce: string,
  record: NonceRecord | undefined,
  nowMs: number,
): NonceStep {
  if (nonce === '') return { type: 'issue', reason: 'NonceGenerated' };
  if (record?.digest !== sha256(nonce)) return { type: 'issue', reason: 'NonceReplaced' };
  const expiresInMs = record.expiresMs - nowMs;
  return expiresInMs > 0
    ? { type: 'keep', expiresInMs }
    : { type: 'issue', reason: 'NonceExpired' };
}

/** For people who look at the Secret. */
export function describeNonceStep(reason: NonceReason): string {
  switch (reason) {
    case 'NonceGenerated':
      return 'Generated the nonce that the consumer has to sign';
    case 'NonceExpired':
      return 'The nonce was not used within 24 hours: the consumer has to sign the new one';
    case 'NonceReplaced':
      return 'The nonce was not issued by this cluster, or was used before: the consumer has to sign the new one';
  }
}
