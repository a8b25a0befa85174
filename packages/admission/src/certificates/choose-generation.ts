import type { Generation } from './generation.ts';
import { overlapMs } from './plan-rotation.ts';

/** Which generation to serve now. */
export interface ServingChoice {
  readonly generation: Generation;
  /** Infinite when no time changes the choice. */
  readonly untilMs: number;
}

/**
 * The newest generation, once API servers have had the time to learn its authority; before, the one that they know. The
 * webhook configurations name the authorities of both.
 */
export function chooseGeneration(
  newest: Generation,
  previous: Generation | undefined,
  nowMs: number,
): ServingChoice {
  const knownAtMs = newest.issuedAtMs + overlapMs;
  const untilMs = Math.min(knownAtMs, previous?.expiresAtMs ?? 0);
  return previous && nowMs < untilMs
    ? { generation: previous, untilMs }
    : { generation: newest, untilMs: Number.POSITIVE_INFINITY };
}
