import type { Advertisement } from '@liqo/api';
import { parseTime } from '@liqo/kube';

export type Validity =
  | { readonly type: 'valid'; readonly durationMs: number }
  | { readonly type: 'invalid'; readonly message: string };

/** A year: an offer that holds for longer is a mistake. */
const longestMs = 365 * 24 * 60 * 60_000;

/**
 * How long an offer holds without a refresh. Both instants are of the clock of the provider, which may be wrong: only the
 * time between them counts, from the moment at which the consumer sees a refresh.
 */
export function judgeValidity({
  timestamp,
  timeToLive,
}: Pick<Advertisement['spec'], 'timestamp' | 'timeToLive'>): Validity {
  const durationMs = (readTime(timeToLive) ?? Number.NaN) - (readTime(timestamp) ?? Number.NaN);
  if (Number.isNaN(durationMs)) return invalid('spec.timestamp or spec.timeToLive is not a time');
  if (durationMs <= 0) return invalid('spec.timeToLive is not later than spec.timestamp');
  if (durationMs > longestMs) return invalid('the offer holds for more than 365 days');
  return { type: 'valid', durationMs };
}

function invalid(message: string): Validity {
  return { type: 'invalid', message };
}

function readTime(text: string): number | undefined {
  try {
    return parseTime(text);
  } catch {
    // Told apart by the caller, which reports it.
    return undefined;
  }
}
