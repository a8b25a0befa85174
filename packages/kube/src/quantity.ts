/**
 * Amounts of resources, exact: a whole mantissa times a power of ten, never floating point. The results, and how they
 * are written, are those of the API server (apimachinery's `resource.Quantity`).
 */
export interface Quantity {
  readonly mantissa: bigint;
  /** The power of ten; never below -9 (nano). */
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The spelling it was parsed from, where the API server keeps it as well. Arithmetic forgets it. */
  readonly text?: string;
}

/** The family of suffixes: `500m` and `2G`, `512Mi`, or `5e3`. */
export type QuantityFormat = 'BinarySI' | 'DecimalExponent' | 'DecimalSI';

export const NANO = -9;
export const MILLI = -3;

/** `value` × 10^`scale`, away from zero to a nano: `quantityOf(1500, { scale: MILLI })` is `1500m`. */
export function quantityOf(
  value: bigint | number,
  options: { readonly format?: QuantityFormat; readonly scale?: number } = {},
): Quantity {
  const { format = 'DecimalSI', scale = 0 } = options;
  return roundQuantityUp({ mantissa: BigInt(value), scale, format }, NANO);
}

export function isZeroQuantity(quantity: Quantity): boolean {
  return quantity.mantissa === 0n;
}

/** Negative, zero or positive, as a sort wants it. `1` and `1000m` are equal. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const [left, right] = aligned(a, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function minQuantity(a: Quantity, b: Quantity): Quantity {
  return compareQuantities(b, a) < 0 ? b : a;
}

export function maxQuantity(a: Quantity, b: Quantity): Quantity {
  return compareQuantities(b, a) > 0 ? b : a;
}

/** Written as the first one is, unless that is zero: then as the second one is. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [left, right] = aligned(a, b);
  const format = isZeroQuantity(a) ? b.format : a.format;
  return { mantissa: left + right, scale: Math.min(a.scale, b.scale), format };
}

/** Written as the first one is, unless that is zero: then as the second one is. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negateQuantity(b));
}

export function negateQuantity(quantity: Quantity): Quantity {
  const { mantissa, scale, format } = quantity;
  return { mantissa: -mantissa, scale, format };
}

/**
 * `quantity` × `numerator` / `denominator`, cut towards zero at a nano: the shares of a whole never add up to more
 * than the whole. Cut further with `roundQuantityDown`.
 */
export function multiplyByRatio(
  quantity: Quantity,
  numerator: bigint | number,
  denominator: bigint | number = 1,
): Quantity {
  const nanos = mantissaAt(quantity, NANO, 'up') * BigInt(numerator);
  return { mantissa: nanos / BigInt(denominator), scale: NANO, format: quantity.format };
}

/** Away from zero, to a multiple of 10^`scale`. */
export function roundQuantityUp(quantity: Quantity, scale: number): Quantity {
  return rounded(quantity, scale, 'up');
}

/** Towards zero, to a multiple of 10^`scale`. */
export function roundQuantityDown(quantity: Quantity, scale: number): Quantity {
  return rounded(quantity, scale, 'down');
}

/** Whole units, away from zero. Exact beyond 64 bits too, where Go's `Value()` overflows. */
export function quantityValue(quantity: Quantity): bigint {
  return mantissaAt(quantity, 0, 'up');
}

/** Whole thousandths, away from zero. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return mantissaAt(quantity, MILLI, 'up');
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint] {
  const scale = Math.min(a.scale, b.scale);
  return [mantissaAt(a, scale, 'up'), mantissaAt(b, scale, 'up')];
}

type Rounding = 'down' | 'up';

function rounded(quantity: Quantity, scale: number, rounding: Rounding): Quantity {
  if (quantity.scale >= scale) return quantity;
  return { mantissa: mantissaAt(quantity, scale, rounding), scale, format: quantity.format };
}

function mantissaAt(quantity: Quantity, scale: number, rounding: Rounding): bigint {
  const { mantissa } = quantity;
  if (quantity.scale === scale) return mantissa;
  if (quantity.scale > scale) return mantissa * powerOfTen(quantity.scale - scale);
  const divisor = powerOfTen(scale - quantity.scale);
  const cut = mantissa / divisor;
  if (rounding === 'down' || cut * divisor === mantissa) return cut;
  return mantissa < 0n ? cut - 1n : cut + 1n;
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
