import type { ApiRequest } from '../rest/api-request.ts';
import { badRequest } from '../rest/refusal.ts';

/** What is passed on to somebody else cannot be tried out. */
export function refuseDryRun({ query }: ApiRequest): void {
  if (query.has('dryRun')) throw badRequest('dryRun is not supported');
}
