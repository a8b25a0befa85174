import type { StructuralSchema } from './schema.ts';

/** A value with the defaults of its schema, as an API server stores it. */
export function fillDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => fillDefaults(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null) return value;
  const filled = new Map<string, unknown>(Object.entries(value));
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const given = filled.has(name) ? filled.get(name) : field.default;
    if (given !== undefined) filled.set(name, fillDefaults(field, given));
  }
  return Object.fromEntries(filled);
}
