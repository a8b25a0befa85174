import {
  isZeroQuantity,
  NANO,
  type Quantity,
  type QuantityFormat,
  quantityOf,
  roundQuantityDown,
} from './quantity.ts';
import { binarySuffixes, decimalSuffixes, smallestDecimalExponent } from './quantity-suffix.ts';

/** A text that is not a quantity. `message` quotes it and says why. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

/**
 * Reads what the API server reads: `100m`, `0.5`, `1.5Gi`, `12e6`. What is finer than a nano is rounded away from
 * zero, and a binary quantity stops at 2^63-1. A number is read as its decimal digits: kinds that are not built in may
 * hold quantities as JSON numbers. Two things are refused that the API server lets pass: a suffix without a number (to
 * it `m` is zero), and exponents beyond 1000.
 */
export function parseQuantity(quantity: string | number): Quantity {
  const text = String(quantity);
  const written = split(text);
  const { exponent, bits, format } = written.unit;
  const magnitude = BigInt(written.whole + written.fraction) << BigInt(bits);
  const mantissa = written.negative ? -magnitude : magnitude;
  const parsed = quantityOf(mantissa, { scale: exponent - written.fraction.length, format });
  const result = format === 'BinarySI' ? normalizeBinary(parsed) : parsed;
  return isKeptAsWritten(written) ? { ...result, text } : result;
}

interface WrittenQuantity {
  readonly negative: boolean;
  /** Digits before the point, without leading zeros; `0` if there are none. */
  readonly whole: string;
  /** Digits after the point. */
  readonly fraction: string;
  readonly unit: Unit;
}

/** 10^exponent × 2^bits. */
interface Unit {
  readonly exponent: number;
  readonly bits: number;
  readonly format: QuantityFormat;
}

const numberPart = /^([+-]?)([0-9]*)(?:\.([0-9]*))?/;

function split(text: string): WrittenQuantity {
  const [number = '', sign, whole = '', fraction = ''] = numberPart.exec(text) ?? [];
  const suffix = text.slice(number.length);
  const unit = parseUnit(suffix);
  if (whole + fraction === '') throw unparsable(text, 'it does not start with a number');
  if (!unit) throw unparsable(text, describeSuffix(suffix));
  return { negative: sign === '-', whole: whole.replace(/^0+/, '') || '0', fraction, unit };
}

function unparsable(text: string, fact: string): QuantityError {
  return new QuantityError(`Cannot parse quantity "${text}": ${fact}`);
}

function describeSuffix(suffix: string): string {
  if (isExponent(suffix)) return `the exponent "${suffix}" is beyond ±${largestExponent}`;
  const known = [...decimalSuffixes, ...binarySuffixes].filter((name) => name !== '').join(', ');
  return `"${suffix}" is not a suffix (use ${known}, or an exponent such as e3)`;
}

function parseUnit(suffix: string): Unit | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) {
    return { exponent: smallestDecimalExponent + 3 * decimal, bits: 0, format: 'DecimalSI' };
  }
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { exponent: 0, bits: 10 * binary, format: 'BinarySI' };
  if (!isExponent(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) > largestExponent) return undefined;
  return { exponent, bits: 0, format: 'DecimalExponent' };
}

/** Larger ones would cost time and memory in proportion to them as soon as something is added. */
const largestExponent = 1000;

function isExponent(suffix: string): boolean {
  return /^[eE][+-]?[0-9]+$/.test(suffix);
}

const maxInt64 = 2n ** 63n - 1n;

function normalizeBinary(quantity: Quantity): Quantity {
  const cut = roundQuantityDown(quantity, 0);
  if (cut.mantissa >= maxInt64) return { ...cut, mantissa: maxInt64 };
  if (cut.mantissa <= -maxInt64) return { ...cut, mantissa: -maxInt64 };
  // No binary suffix can write a fraction of one.
  const isFractionOfOne = isZeroQuantity(cut) && !isZeroQuantity(quantity);
  return isFractionOfOne ? { ...quantity, format: 'DecimalSI' } : quantity;
}

/**
 * Whether the API server, having read this, would write it back letter by letter. It takes some spellings for
 * canonical that are not (`+1`, `1.500`, `1E3`); to write them otherwise would look like a change of the object.
 */
function isKeptAsWritten({ whole, fraction, unit }: WrittenQuantity): boolean {
  const digits = whole + fraction;
  if (unit.format === 'BinarySI') {
    const fits = whole.length + (3 * unit.bits) / 10 <= 14;
    return fraction === '' && fits && Number(digits) % 8 !== 0;
  }
  const scale = unit.exponent - fraction.length;
  const fits = digits.length <= 18 && scale >= NANO && scale % 3 === 0;
  return fits && !digits.startsWith('0') && !digits.endsWith('000');
}
