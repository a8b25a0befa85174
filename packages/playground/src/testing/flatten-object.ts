/** A value that differs from run to run. */
export const anyValue = '*';

/** The fields that tell the items of a list apart. */
const nameOfItem = ['type', 'name', 'key', 'kind', 'storageClassName'] as const;

/**
 * The fields of an object by their paths. The items of a list are named after what is in them, so that their order does
 * not count, and neither does an item that is there twice. Empty maps and lists count as absent, as they do in Kubernetes.
 */
export function flattenObject(object: unknown, path = ''): ReadonlyMap<string, string> {
  if (object === null || object === undefined) return new Map();
  if (typeof object !== 'object') return new Map([[path, String(object)]]);
  const fields = Array.isArray(object)
    ? object.map((item, index) => flattenItem(item, index, path))
    : Object.entries(object).map(([name, value]) => flattenObject(value, join(path, name)));
  return new Map(fields.flatMap((found) => [...found]));
}

function flattenItem(item: unknown, index: number, path: string): ReadonlyMap<string, string> {
  if (typeof item !== 'object' || item === null) {
    const [, flag, value] = /^(--[^=]+)=?(.*)$/s.exec(String(item)) ?? [];
    if (flag === undefined) return new Map([[`${path}[${String(item)}]`, 'there']]);
    return new Map([[`${path}[${flag}]`, value || 'there']]);
  }
  const values = new Map(Object.entries(item));
  const named = nameOfItem.find((name) => typeof values.get(name) === 'string');
  if (named === undefined) return flattenObject(item, `${path}[${index}]`);
  const { [named]: name, ...others } = item as Record<string, unknown>;
  return new Map([
    [`${path}[${String(name)}]`, 'there'],
    ...flattenObject(others, `${path}[${String(name)}]`),
  ]);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
