import { formatTime, isJsonObject, oneLine, parseQuantity, parseTime, safeText } from '@liqo/kube';

/** What becomes of a JSON value of another party: one of the expected type and size, or undefined to leave it out. */
export type Reader = (value: unknown) => unknown;

/** One line, without characters that control a terminal. */
export const line =
  (maxBytes: number): Reader =>
  (value) =>
    typeof value === 'string' ? oneLine(value, maxBytes) : undefined;

/** The same with line breaks. */
export const prose =
  (maxBytes: number): Reader =>
  (value) =>
    typeof value === 'string' ? safeText(value, maxBytes) : undefined;

export const flag: Reader = (value) => (typeof value === 'boolean' ? value : undefined);

const maxInt32 = 2 ** 31 - 1;

/** A larger number is the largest one: a Go server refuses an object with a number that its type cannot hold. */
export const int32 =
  (min: number): Reader =>
  (value) =>
    Number.isInteger(value) ? Math.min(Math.max(value as number, min), maxInt32) : undefined;

export const generation: Reader = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined;

export const oneOf =
  (values: readonly string[], otherwise?: string): Reader =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? value : otherwise;

/** In the form in which an API server keeps it. */
export const time: Reader = (value) => {
  if (typeof value !== 'string') return undefined;
  try {
    return formatTime(parseTime(value));
  } catch {
    // Not a time.
    return undefined;
  }
};

/** Of a field that API servers write as `null` when it has no value. */
export const timeOrNull: Reader = (value) => (value === null ? null : time(value));

/** The first `max` items that can be read. */
export const list =
  (reader: Reader, max: number): Reader =>
  (value) =>
    Array.isArray(value)
      ? value.slice(0, max).flatMap((item) => {
          const read = reader(item);
          return read === undefined ? [] : [read];
        })
      : undefined;

/** A list of objects that are told apart by one of their members: the first of each. */
export const listByName = (reader: Reader, name: string, max: number): Reader => {
  const readList = list(reader, max);
  return (value) => {
    const items = readList(value) as readonly Readonly<Record<string, unknown>>[] | undefined;
    const byName = new Map<string, unknown>();
    for (const item of items ?? []) {
      const key = new Map(Object.entries(item)).get(name);
      if (typeof key === 'string' && key !== '' && !byName.has(key)) byName.set(key, item);
    }
    return items && [...byName.values()];
  };
};

/** Amounts of resources by name. */
export const amounts: Reader = (value) => {
  if (!isJsonObject(value)) return undefined;
  const readable = Object.entries(value).filter(
    ([name, amount]) => name.length <= maxKeyLength && isQuantity(amount),
  );
  return Object.fromEntries(readable.slice(0, maxMembers));
};

function isQuantity(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (String(value).length > 64) return false;
  try {
    parseQuantity(value);
    return true;
  } catch {
    return false;
  }
}

const maxKeyLength = 317;
const maxMembers = 64;

/** An object whose members are read as given, and further ones by `others`. */
export const object = (
  members: Readonly<Record<string, Reader>>,
  others: Reader = leaveOut,
): Reader => {
  const readers = new Map(Object.entries(members));
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    const read: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value)) {
      if (key.length > maxKeyLength || read.length >= maxMembers) continue;
      const found = (readers.get(key) ?? others)(member);
      if (found !== undefined) read.push([key, found]);
    }
    return Object.fromEntries(read);
  };
};

/** The same with values for members that are missing or cannot be read. */
export const withDefaults =
  (defaults: object, reader: Reader): Reader =>
  (value) => {
    const read = reader(value);
    return isJsonObject(read) ? { ...defaults, ...read } : read;
  };

function leaveOut(): undefined {
  return undefined;
}

const maxDepth = 6;
const maxValues = 200;

/** Any value, if it is small: for fields that are not known here. */
export const small: Reader = (value) => {
  let values = 0;
  const copy = (item: unknown, depth: number): unknown => {
    values += 1;
    if (depth > maxDepth || values > maxValues) return undefined;
    if (typeof item === 'string') return oneLine(item);
    if (Array.isArray(item))
      return compact(item.slice(0, maxValues).map((one) => copy(one, depth + 1)));
    if (!isJsonObject(item)) return item;
    const members = Object.entries(item).slice(0, maxValues);
    return Object.fromEntries(
      members.flatMap(([key, member]): [string, unknown][] => {
        const read = key.length > maxKeyLength ? undefined : copy(member, depth + 1);
        return read === undefined ? [] : [[key, read]];
      }),
    );
  };
  return copy(value, 0);
};

function compact(items: readonly unknown[]): unknown[] {
  return items.filter((item) => item !== undefined);
}
