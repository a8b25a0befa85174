import type { FieldProblem } from '../../rest/refusal.ts';

/** What can be wrong with a field, in the words of the API server. */
export type { FieldProblem };

export type Problems = readonly FieldProblem[];

export function required(field: string, detail = ''): FieldProblem {
  return { field, reason: 'FieldValueRequired', message: withDetail('Required value', detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldProblem {
  const said = `Invalid value: ${showValue(value)}`;
  return { field, reason: 'FieldValueInvalid', message: withDetail(said, detail) };
}

/** For values that are too long, or too secret, to be repeated. */
export function invalidWithoutValue(field: string, detail: string): FieldProblem {
  return { field, reason: 'FieldValueInvalid', message: withDetail('Invalid value', detail) };
}

export function duplicate(field: string, value: unknown, detail = ''): FieldProblem {
  const said = `Duplicate value: ${showValue(value)}`;
  return { field, reason: 'FieldValueDuplicate', message: withDetail(said, detail) };
}

export function notFound(field: string, value: unknown, detail = ''): FieldProblem {
  const said = `Not found: ${showValue(value)}`;
  return { field, reason: 'FieldValueNotFound', message: withDetail(said, detail) };
}

export function forbidden(field: string, detail: string): FieldProblem {
  return { field, reason: 'FieldValueForbidden', message: withDetail('Forbidden', detail) };
}

/** `supported` in the order in which they are to be listed. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldProblem {
  const listed = supported.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${showValue(value)}: supported values: ${listed}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

export function tooLong(field: string, maxBytes: number): FieldProblem {
  const message = `Too long: may not be more than ${maxBytes} bytes`;
  return { field, reason: 'FieldValueTooLong', message };
}

/** One `invalid` per fault of the value. */
export function invalidFor(
  field: string,
  value: unknown,
  faults: readonly string[],
): FieldProblem[] {
  return faults.map((fault) => invalid(field, value, fault));
}

/** Nothing, or a problem if the value is not one of those supported. */
export function oneOf(field: string, value: string, supported: readonly string[]): FieldProblem[] {
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

/** As `oneOf` for a field that cannot be left empty. */
export function requiredOneOf(
  field: string,
  value: string | undefined,
  supported: readonly string[],
): FieldProblem[] {
  return value ? oneOf(field, value, supported) : [required(field)];
}

function withDetail(said: string, detail: string): string {
  return detail ? `${said}: ${detail}` : said;
}

/** As Go's JSON, with some characters escaped for the sake of HTML. */
function showValue(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value).replaceAll(/[<>&]/g, escapeForHtml);
}

/** A map as the server shows it, in the order of the keys. */
export function sortedMap<V>(map: Readonly<Record<string, V>> | undefined): object | undefined {
  return map && Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function escapeForHtml(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
