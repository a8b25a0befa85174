/** A text that is not a duration. `message` quotes it and says why. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
}

/**
 * Reads a duration as the API has it: `1h30m`, `1.5s`, `-2m`, `100ms`, `0`. The same texts mean the same nanoseconds as
 * to Go's `time.ParseDuration`; a bigint, because its 64 bits do not fit a number.
 */
export function parseDuration(text: string): bigint {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  if (unsigned === '') throw unparsable(text, 'it is empty');
  const magnitude = parseParts(unsigned, text);
  const value = text.startsWith('-') ? -magnitude : magnitude;
  if (BigInt.asIntN(64, value) !== value) throw unparsable(text, 'it is longer than 292 years');
  return value;
}

/** As `Duration.String()`: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < microsecond) return `${nanoseconds}ns`;
  if (nanoseconds < millisecond) return `${decimal(nanoseconds, microsecond)}µs`;
  if (nanoseconds < second) return `${decimal(nanoseconds, millisecond)}ms`;
  const seconds = `${decimal(nanoseconds % minute, second)}s`;
  if (nanoseconds < minute) return seconds;
  const minutes = `${(nanoseconds % hour) / minute}m${seconds}`;
  return nanoseconds < hour ? minutes : `${nanoseconds / hour}h${minutes}`;
}

/** Exact to the nanosecond as long as it is below 49 days; beyond, to the closest number there is. */
export function durationToMs(nanoseconds: bigint): number {
  return Number(nanoseconds / millisecond) + Number(nanoseconds % millisecond) / 1e6;
}

/** To the closest nanosecond. */
export function durationFromMs(milliseconds: number): bigint {
  const whole = Math.trunc(milliseconds);
  return BigInt(whole) * millisecond + BigInt(Math.round((milliseconds - whole) * 1e6));
}

const microsecond = 1_000n;
const millisecond = 1_000_000n;
const second = 1_000_000_000n;
const minute = 60n * second;
const hour = 60n * minute;

/** The micro sign has two code points that look the same. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', microsecond],
  ['\u00b5s', microsecond],
  ['\u03bcs', microsecond],
  ['ms', millisecond],
  ['s', second],
  ['m', minute],
  ['h', hour],
]);

function parseParts(unsigned: string, text: string): bigint {
  let total = 0n;
  for (let rest = unsigned; rest !== ''; ) {
    const [part = '', whole = '', fraction = '', unit = ''] = partPattern.exec(rest) ?? [];
    if (whole + fraction === '') throw unparsable(text, `"${rest}" does not start with a number`);
    const nanoseconds = units.get(unit);
    if (nanoseconds === undefined) throw unparsable(text, describeUnit(part, unit));
    total += BigInt(whole) * nanoseconds + parseFraction(fraction, nanoseconds);
    rest = rest.slice(part.length);
  }
  return total;
}

const partPattern = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/;

function describeUnit(part: string, unit: string): string {
  const known = 'use ns, us, ms, s, m or h';
  return unit === '' ? `"${part}" has no unit (${known})` : `"${unit}" is not a unit (${known})`;
}

/**
 * The only place with floating point, and on purpose: Go computes it so, and `0.3333333333333333333h` is 20 minutes
 * to it and not a nanosecond less.
 */
function parseFraction(digits: string, unit: bigint): bigint {
  let numerator = 0n;
  let denominator = 1;
  for (const digit of digits) {
    const next = numerator * 10n + BigInt(digit);
    if (next > maxFraction) break;
    numerator = next;
    denominator *= 10;
  }
  return BigInt(Math.trunc(Number(numerator) * (Number(unit) / denominator)));
}

/** Further digits of a fraction are beyond 64 bits, and ignored. */
const maxFraction = 2n ** 63n;

function decimal(value: bigint, unit: bigint): string {
  const digits = `${unit + (value % unit)}`.slice(1).replace(/0+$/, '');
  return digits === '' ? `${value / unit}` : `${value / unit}.${digits}`;
}

function unparsable(text: string, fact: string): DurationError {
  return new DurationError(`Cannot parse duration "${text}": ${fact}`);
}
