/** `3`, or `"25%"` of a total, rounded as the field at hand wants it. */
export function resolveIntOrPercent(
  value: number | string | undefined,
  total: number,
  round: 'up' | 'down',
): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = Number.parseInt(value, 10);
  if (!value.endsWith('%') || Number.isNaN(percent)) {
    throw new Error(`Cannot use "${value}": it is neither a number nor a percentage`);
  }
  const exact = (percent * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
