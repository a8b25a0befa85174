import { type ApiError, isForbidden, isUnauthorized } from '@liqo/kube';
import type { PeerAccess } from '@liqo/model';

/** A 401 or 403 of a peer, as opposed to one of this cluster, which says nothing of the peer. */
export class PeerRefusedError extends Error {
  override readonly name = 'PeerRefusedError';
  readonly access: PeerAccess;

  constructor(cause: ApiError) {
    super(cause.message, { cause });
    this.access = accessOf(cause);
  }
}

/** The result of a call to a peer. Throws a `PeerRefusedError` when the peer refuses our credentials. */
export async function answerOfPeer<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isForbidden(error) || isUnauthorized(error) ? new PeerRefusedError(error) : error;
  }
}

/** What an error of a call to a peer says of our access there. */
export function accessOf(error: unknown): PeerAccess {
  if (isForbidden(error)) return 'forbidden';
  return isUnauthorized(error) ? 'unauthorized' : 'unknown';
}
