/** The middle of what was measured, and how far apart the rest is. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: medianOf(sorted), least: quantile(sorted, 0), most: quantile(sorted, 1) };
}

/** Of sorted values; of two in the middle the greater one, which flatters nobody: less is better everywhere. */
function medianOf(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Of sorted values; the nearest one, never something between two. */
export function quantile(sorted: readonly number[], share: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1));
  return sorted[index] ?? Number.NaN;
}
