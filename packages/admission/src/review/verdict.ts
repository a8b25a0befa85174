import type { KubeObject } from '@liqo/kube';

/** What a rule says of a request. */
export type Verdict = Allowed | Denied;

interface Allowed {
  readonly allowed: true;
  /** What the object becomes; undefined leaves it as it is. */
  readonly object?: KubeObject;
  /** Shown to the user of the request. */
  readonly warnings?: readonly string[];
}

interface Denied {
  readonly allowed: false;
  /** Of the HTTP response that the user of the request gets. */
  readonly code: number;
  readonly reason: 'BadRequest' | 'Forbidden' | 'Invalid' | 'AlreadyExists';
  readonly message: string;
}

export const unchanged: Verdict = { allowed: true };

/** Allowed, and the object is replaced. */
export function changed(object: KubeObject): Verdict {
  return { allowed: true, object };
}

/** The user may not do this. */
export function forbidden(message: string): Verdict {
  return { allowed: false, code: 403, reason: 'Forbidden', message };
}

/** A field has a value that is not accepted. `path` is that of the field: `spec.clusterID`. */
export function invalid(path: string, problem: string): Verdict {
  return { allowed: false, code: 422, reason: 'Invalid', message: `${path}: ${problem}` };
}

/** The object is not of the form that its kind has: no API server sends such a request. */
export function malformed(problem: string): Verdict {
  return { allowed: false, code: 400, reason: 'BadRequest', message: problem };
}
