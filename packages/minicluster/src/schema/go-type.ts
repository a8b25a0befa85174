import type { TypeSchema } from './type-schema.ts';

/**
 * How the server itself holds a property. The server is written in Go: a value passes through a field of a struct, and
 * the type and tag of that field decide what is left of it (`false` in a plain `bool` is as good as absent, in a
 * pointer it is not).
 */
export interface GoType {
  /** Whether absent and zero are two things. */
  readonly pointer: boolean;
  /** As Go prints it, without the star: `int32`, `[]v1.Container`, `v1.PullPolicy`. */
  readonly name: string;
  /** What is left out when it is written: nothing, what is empty, what is zero. */
  readonly omit: '' | 'omitempty' | 'omitzero';
}

/** The type of a property, as the generator noted it. */
export function goTypeOf(property: TypeSchema): GoType {
  const text = property['x-go-type'] ?? '';
  const comma = text.indexOf(',');
  const type = comma < 0 ? text : text.slice(0, comma);
  const pointer = type.startsWith('*');
  return {
    pointer,
    name: pointer ? type.slice(1) : type,
    omit: comma < 0 ? '' : (text.slice(comma + 1) as GoType['omit']),
  };
}

/**
 * Whether a property is there even if nobody set it: to Go a struct is never empty. There is one exception: the port
 * that a service leads to is written as 0 only until it gets its default, so that nobody ever sees it.
 */
export function isAlwaysWritten(property: TypeSchema): boolean {
  const text = property['x-go-type'] ?? '';
  if (!text.includes(',')) return true;
  const isStruct = property.$ref !== undefined || property.allOf !== undefined;
  if (!isStruct || text.startsWith('*') || text.endsWith('omitzero')) return false;
  return !text.startsWith('intstr.IntOrString');
}

/** Objects of built-in kinds pass through the server's own types, custom ones stay what they are. */
export function isBuiltIn(schema: TypeSchema): boolean {
  return schema.properties?.metadata?.['x-go-type'] !== undefined;
}

/** The type of what a list or map holds. Types with a name of their own (`v1.ResourceList`) do not tell. */
export function elementTypeOf(name: string): string | undefined {
  if (name.startsWith('[]')) return name.slice(2);
  const end = name.startsWith('map[') ? name.indexOf(']') : -1;
  return end < 0 ? undefined : name.slice(end + 1);
}

/** The kind of a JSON value as Go's JSON package names it. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The kind of a JSON value once it is in Go's generic form. */
export function goKindOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  const kinds: Readonly<Record<string, string>> = { array: 'slice', object: 'map' };
  const type = jsonTypeOf(value);
  return kinds[type] ?? type;
}
