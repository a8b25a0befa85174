import { isJsonObject } from '@liqo/kube';

/** The value as Go prints it (`%v`): `map[a:1 b:[x y]]`. Some of the server's messages show values in this form. */
export function printGoValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printGoValue).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = sortedEntries(value).map(([key, member]) => `${key}:${printGoValue(member)}`);
  return `map[${members.join(' ')}]`;
}

/** The value in Go's own syntax (`%#v`): `map[string]interface {}{"a":1}`. */
export function printGoSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(printGoSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = sortedEntries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${printGoSyntax(member)}`,
  );
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** The type of a value in Go's generic form of JSON (`%T`). */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}

function sortedEntries(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
