import type { StructuralSchema } from '@liqo/api';
import { isJsonObject, oneLine, parseTime } from '@liqo/kube';

/** A value as its schema admits it, and where something was left out for being something else than the schema says. */
export interface FittedValue {
  readonly value: unknown;
  readonly refused: readonly string[];
}

/** Most of what a peer says is names, numbers and short texts. */
const limits = { textChars: 2_048, byteChars: 64 * 1024, items: 256, entries: 5_000 } as const;

/** For people: they are cut, not refused. */
const cutTexts = new Set(['message', 'reason']);

/**
 * The part of a value that a schema of ours admits. Fields that the schema does not have are left out, as the API server does;
 * what is in a known field but does not fit is left out too, where the API server would refuse the whole object.
 */
export function fitSchema(schema: StructuralSchema, value: unknown): FittedValue {
  const refused: string[] = [];
  const fitted = fit(schema, value, { path: '', refuse: (path) => refused.push(path) });
  return { value: fitted, refused };
}

interface Place {
  readonly path: string;
  readonly refuse: (path: string) => void;
}

function fit(schema: StructuralSchema, value: unknown, place: Place): unknown {
  const fitted = fitType(schema, value, place);
  if (fitted === undefined) place.refuse(place.path);
  return fitted;
}

function fitType(schema: StructuralSchema, value: unknown, place: Place): unknown {
  if (schema['x-kubernetes-int-or-string']) return fitQuantity(schema, value);
  switch (schema.type) {
    case 'object':
      return isJsonObject(value) ? fitObject(schema, value, place) : undefined;
    case 'array':
      return Array.isArray(value) ? fitList(schema, value, place) : undefined;
    case 'string':
      return typeof value === 'string' ? fitText(schema, value, place) : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    default:
      return undefined;
  }
}

function fitObject(schema: StructuralSchema, value: object, place: Place): unknown {
  const known = new Map(Object.entries(schema.properties ?? {}));
  const entries = Object.entries(value).filter(([, field]) => field !== null);
  if (entries.length > limits.entries) return undefined;
  const fitted = entries.flatMap(([name, field]) => {
    const own = schema.additionalProperties ?? known.get(name);
    if (!own || name.length > limits.textChars) return [];
    const path = place.path ? `${place.path}.${name}` : name;
    const one = fit(own, field, { ...place, path });
    return one === undefined ? [] : [[name, one] as const];
  });
  const names = new Set(fitted.map(([name]) => name));
  const isWhole = (schema.required ?? []).every((name) => names.has(name));
  return isWhole ? Object.fromEntries(fitted) : undefined;
}

function fitList({ items }: StructuralSchema, value: readonly unknown[], place: Place): unknown {
  if (!items || value.length > limits.items) return undefined;
  return value
    .map((item, nth) => fit(items, item, { ...place, path: `${place.path}[${nth}]` }))
    .filter((item) => item !== undefined);
}

function fitText(schema: StructuralSchema, text: string, { path }: Place): string | undefined {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (cutTexts.has(name)) return oneLine(text);
  const isBytes = schema.format === 'byte';
  if (text.length > (isBytes ? limits.byteChars : limits.textChars)) return undefined;
  if (isBytes && !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  if (/\p{Cs}/u.test(text) || (schema.format === 'date-time' && !isTime(text))) return undefined;
  if (schema.enum && !schema.enum.includes(text)) return undefined;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text)) return undefined;
  return text;
}

function fitQuantity({ pattern = '' }: StructuralSchema, value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  const isQuantity =
    typeof value === 'string' && value.length <= 64 && new RegExp(pattern).test(value);
  return isQuantity ? value : undefined;
}

function isTime(text: string): boolean {
  try {
    return Number.isFinite(parseTime(text));
  } catch {
    return false;
  }
}
