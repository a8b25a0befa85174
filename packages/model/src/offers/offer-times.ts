import type { Advertisement } from '@liqo/api';
import { formatTime, parseTime, type Stored } from '@liqo/kube';
import { judgeValidity } from './offer-validity.ts';

export interface OfferTimes {
  readonly lastRefreshTime: string;
  readonly expirationTime: string;
  readonly observedGeneration: number;
}

/** Of an offer that never said it rightly: it has to go, too. */
const defaultValidityMs = 30 * 60_000;

/**
 * When the consumer saw the latest refresh, and when the offer ends without another one, by the clock of the consumer. Every
 * refresh changes the spec and therefore the generation.
 */
export function offerTimes(
  { metadata, spec, status }: Stored<Advertisement>,
  nowMs: number,
): OfferTimes {
  const { generation = 0 } = metadata;
  const { lastRefreshTime, expirationTime, observedGeneration } = status ?? {};
  if (lastRefreshTime && expirationTime && observedGeneration === generation) {
    return { lastRefreshTime, expirationTime, observedGeneration };
  }
  const validity = judgeValidity(spec);
  const kept = validity.type === 'invalid' ? expirationTime : undefined;
  const durationMs = validity.type === 'valid' ? validity.durationMs : defaultValidityMs;
  return {
    lastRefreshTime: formatTime(nowMs),
    expirationTime: kept ?? formatTime(nowMs + durationMs),
    observedGeneration: generation,
  };
}

/** How long the offer still holds; 0 once it has expired. */
export function expiresInMs({ expirationTime }: OfferTimes, nowMs: number): number {
  return Math.max(0, parseTime(expirationTime) - nowMs);
}
