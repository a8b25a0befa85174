/** The middle of what was measured, and how far apart the rest is. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: quantile(sorted, 0), most: quantile(sorted, 1) };
}

/** Of sorted values; the nearest one, never something between two. */
export function quantile(sorted: readonly number[], share: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1));
  return sorted[index] ?? Number.NaN;
}
