/** A text or a number that is not a time. `message` quotes it and says why. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

/** `2026-01-31T12:00:00Z`, the form of `metav1.Time`: what is less than a second is cut off. */
export function formatTime(ms: number): string {
  return `${formatSeconds(ms)}Z`;
}

/** `2026-01-31T12:00:00.000001Z`, the form of `metav1.MicroTime` in leases and events. */
export function formatMicroTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.round((ms - whole) * 1000);
  if (micros === 1000) return formatMicroTime(whole + 1);
  const fraction = String(modulo(whole, 1000) * 1000 + micros);
  return `${formatSeconds(whole)}.${fraction.padStart(6, '0')}Z`;
}

/** Milliseconds since the epoch; with a fraction, to the microsecond from 1831 to 2109, if the text has one. */
export function parseTime(text: string): number {
  const [, seconds, fraction = '', zone] = pattern.exec(text) ?? [];
  if (seconds === undefined || zone === undefined) {
    throw unparsable(text, 'it is not of the form 2026-01-31T12:00:00Z');
  }
  const start = Date.parse(`${seconds}Z`);
  const offsetMs = parseOffset(zone);
  if (!isSameTime(start, seconds) || offsetMs === undefined) {
    throw unparsable(text, 'there is no such date, time of day or time zone');
  }
  return start + parseFraction(fraction) - offsetMs;
}

const pattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** What happens at the same time is written down many times. */
let latest = { second: Number.NaN, text: '' };

function formatSeconds(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second === latest.second) return latest.text;
  const date = new Date(second * 1000);
  const year = date.getUTCFullYear();
  if (year >= 0 && year <= 9999) {
    latest = { second, text: date.toISOString().slice(0, 19) };
    return latest.text;
  }
  throw new TimestampError(`Cannot format time ${ms}: it is not in the years 0 to 9999`);
}

/** `Date.parse` takes the 30th of February for the 2nd of March, and 24:00 for the next day. */
function isSameTime(ms: number, seconds: string): boolean {
  const date = new Date(ms);
  const [day, hour] = [Number(seconds.slice(8, 10)), Number(seconds.slice(11, 13))];
  return date.getUTCDate() === day && date.getUTCHours() === hour;
}

function parseOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  const offsetMs = (hours * 60 + minutes) * 60_000;
  return zone.startsWith('-') ? -offsetMs : offsetMs;
}

/** As text, since 0.123456 × 1000 is not quite 123.456. */
function parseFraction(digits: string): number {
  return Number(`${digits.slice(0, 3).padEnd(3, '0')}.${digits.slice(3)}`);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

function unparsable(text: string, fact: string): TimestampError {
  return new TimestampError(`Cannot parse time "${text}": ${fact}`);
}
