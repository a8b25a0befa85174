import { ApiError } from '@liqo/kube';
import type { Status } from 'kubernetes-types/meta/v1.d.ts';

/** The webhook could not be asked, or its answer means nothing. Whether that matters is up to its failure policy. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';

  constructor(webhook: string, fact: string, options?: ErrorOptions) {
    super(`failed calling webhook "${webhook}": ${fact}`, options);
  }
}

/** The webhook said no: in its own words, and with a code and a reason of its own if it likes. */
export function deniedBy(webhook: string, result: Status = {}): ApiError {
  const denied = `admission webhook "${webhook}" denied the request`;
  const said = result.message || result.reason;
  return new ApiError({
    ...result,
    message: said ? `${denied}: ${said}` : `${denied} without explanation`,
    code: Math.max(result.code ?? 0, 400),
  });
}
