import { deepEqual, isJsonObject } from '@liqo/kube';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { findListMapItem } from './list-map.ts';

/**
 * A value and what was in its place before an update, as far as that can be told: members by their name, items of
 * list-maps by their keys. Faults in what has not changed are forgiven: a schema may have become stricter meanwhile.
 */
export class Correlation {
  readonly #schema: TypeSchema;
  readonly #value: unknown;
  readonly #old: unknown;
  #unchanged: boolean | undefined;

  constructor(schema: TypeSchema, value: unknown, old: unknown) {
    this.#schema = schema;
    this.#value = value;
    this.#old = old;
  }

  get isUnchanged(): boolean {
    this.#unchanged ??= deepEqual(this.#value, this.#old);
    return this.#unchanged;
  }

  key(name: string): Correlation | undefined {
    const [value, old] = [this.#value, this.#old];
    if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const schema = memberSchema(this.#schema, name);
    return schema && new Correlation(schema, value[name], old[name]);
  }

  index(index: number): Correlation | undefined {
    const [value, old, { items }] = [this.#value, this.#old, this.#schema];
    if (!Array.isArray(value) || !Array.isArray(old) || !items) return undefined;
    const found = findListMapItem(this.#schema, old, value[index]);
    return found === undefined ? undefined : new Correlation(items, value[index], found);
  }
}

/** The schema of a member: of the property, or of all others. */
export function memberSchema(schema: TypeSchema, name: string): TypeSchema | undefined {
  const { additionalProperties } = schema;
  return (
    propertyOf(schema, name) ??
    (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  );
}
