import { annotations } from '@liqo/api';
import { formatTime, type Namespace, parseTime } from '@liqo/kube';
import { sha256 } from '../sha256.ts';

/** What a provider remembers of the one nonce that a consumer may sign. */
export interface NonceRecord {
  /** SHA-256 of the nonce, so that readers of the namespace do not learn the nonce. */
  readonly digest: string;
  readonly expiresMs: number;
}

/** Time for people, and for a review in Git, between the nonce and the Tenant that it authenticates. */
export const nonceLifetimeMs = 24 * 60 * 60_000;

/**
 * The record is an annotation of the tenant namespace. A peering user can delete and create the Secret with the nonce, and so
 * could bring back a nonce that was used; it cannot write the namespace.
 */
export function readNonceRecord({ metadata }: Namespace): NonceRecord | undefined {
  const text = metadata?.annotations?.[annotations.issuedNonce] ?? '';
  const [, digest, time] = /^([0-9a-f]{64}) (\S{1,40})$/.exec(text) ?? [];
  if (digest === undefined || time === undefined) return undefined;
  try {
    return { digest, expiresMs: parseTime(time) };
  } catch {
    // Another text than ours: the nonce is issued anew.
    return undefined;
  }
}

/** The value of the annotation. */
export function printNonceRecord({ digest, expiresMs }: NonceRecord): string {
  return `${digest} ${formatTime(expiresMs)}`;
}

export function recordNonce(nonce: string, nowMs: number): NonceRecord {
  return { digest: sha256(nonce), expiresMs: nowMs + nonceLifetimeMs };
}
