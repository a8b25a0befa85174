import {
  compareQuantities,
  type Quantity,
  type QuantityFormat,
  quantityOf,
  quantityValue,
} from './quantity.ts';
import {
  binarySuffixes,
  decimalSuffixes,
  largestDecimalExponent,
  smallestDecimalExponent,
} from './quantity-suffix.ts';

/**
 * The canonical spelling, as the API server writes it: no fraction, and the largest suffix that needs none. Beyond the
 * largest suffix of all the digits grow (`1000E`); the API server drops the suffix there, and writes `1`.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.mantissa === 0n) return '0';
  return isWrittenBinary(quantity) ? formatBinary(quantity) : formatDecimal(quantity);
}

/** Small numbers and fractions would have to be rounded to carry a binary suffix: they are written decimally. */
function isWrittenBinary(quantity: Quantity): boolean {
  if (quantity.format !== 'BinarySI') return false;
  const value = quantityValue(quantity);
  const isSmall = -1024n < value && value < 1024n;
  return !isSmall && isWhole(quantity, value);
}

function isWhole(quantity: Quantity, value: bigint): boolean {
  return compareQuantities(quantity, quantityOf(value)) === 0;
}

function formatBinary(quantity: Quantity): string {
  let value = quantityValue(quantity);
  let step = 0;
  while (value % 1024n === 0n && step < binarySuffixes.length - 1) {
    value /= 1024n;
    step += 1;
  }
  return `${value}${binarySuffixes[step]}`;
}

function formatDecimal({ mantissa, scale, format }: Quantity): string {
  const digits = mantissa.toString();
  const significant = lengthWithoutTrailingZeros(digits);
  const exponent = scale + digits.length - significant;
  const written = writtenExponent(exponent, format);
  const number = digits.slice(0, significant) + '0'.repeat(exponent - written);
  return number + decimalSuffix(written, format);
}

function lengthWithoutTrailingZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length;
}

/** The largest multiple of three that leaves no fraction, and has a suffix. */
function writtenExponent(exponent: number, format: QuantityFormat): number {
  const engineering = Math.floor(exponent / 3) * 3;
  return format === 'DecimalExponent' ? engineering : Math.min(engineering, largestDecimalExponent);
}

function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  return decimalSuffixes[(exponent - smallestDecimalExponent) / 3] ?? '';
}
