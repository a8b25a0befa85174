/** Chance, as a parameter: a number in [0, 1), as `Math.random` gives, so that a seed can replay a run. */
export type Random = () => number;

/** `base` varied by up to `spread` of itself in both directions: `jitter(random, 100, 0.2)` is in [80, 120). */
export function jitter(random: Random, base: number, spread: number): number {
  return base * (1 - spread + 2 * spread * random());
}
