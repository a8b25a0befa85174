import type { AdmissionRequest } from './review/admission-request.ts';
import type { Verdict } from './review/verdict.ts';

/**
 * One rule of admission, called by its path. It has no effect of its own: the same request has the same verdict, also when
 * it is asked again for an object that the rule has already changed. What it throws is no verdict: the API server then
 * follows the failure policy of the webhook.
 */
export interface Rule {
  /** As in the webhook configuration: `/mutate/pod`. */
  readonly path: string;
  /** Aborts when the time of the API server is over. */
  readonly review: (request: AdmissionRequest, signal: AbortSignal) => Verdict | Promise<Verdict>;
}
