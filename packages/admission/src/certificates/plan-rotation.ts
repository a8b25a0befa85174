import type { Generation } from './generation.ts';

type Times = Pick<Generation, 'issuedAtMs' | 'expiresAtMs'>;

/**
 * What becomes of the generations in the Secret: `issue` adds one and keeps `kept`, `forget` keeps only `kept`, and `keep`
 * is well until `untilMs`.
 */
export type RotationPlan<G> =
  | { readonly do: 'issue' | 'forget'; readonly kept: readonly G[] }
  | { readonly do: 'keep'; readonly untilMs: number };

/** How long the old certificate is still served: all API servers know the new authority by then. */
export const overlapMs = 5 * 60_000;
/** How long the old authority is still trusted: all replicas serve the new certificate by then. */
const forgetAfterMs = 3600_000;
/** The part of its life after which a certificate is replaced. */
const renewAfter = 2 / 3;

/** `generations` has the newest first. A generation that has expired is of no use to anybody. */
export function planRotation<G extends Times>(
  generations: readonly G[],
  nowMs: number,
): RotationPlan<G> {
  const [newest, previous] = generations.filter(({ expiresAtMs }) => nowMs < expiresAtMs);
  if (newest === undefined) return { do: 'issue', kept: [] };
  // Another clock may be ahead, but not by a whole life.
  const { issuedAtMs, expiresAtMs } = newest;
  const renewAtMs = issuedAtMs + (expiresAtMs - issuedAtMs) * renewAfter;
  if (nowMs >= renewAtMs) return { do: 'issue', kept: [newest] };
  const isAlone = previous === undefined;
  if (isAlone && generations.length > 1) return { do: 'forget', kept: [newest] };
  if (isAlone) return { do: 'keep', untilMs: renewAtMs };
  const forgetAtMs = Math.min(issuedAtMs + forgetAfterMs, previous.expiresAtMs, renewAtMs);
  return nowMs >= forgetAtMs
    ? { do: 'forget', kept: [newest] }
    : { do: 'keep', untilMs: forgetAtMs };
}
