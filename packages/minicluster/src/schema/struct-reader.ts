import { isJsonObject } from '@liqo/kube';
import type { DecodeWalk, FieldStep } from './decode-walk.ts';
import { type GoType, goTypeOf, isAlwaysWritten } from './go-type.ts';
import type { ReadValue, TypeReaders } from './type-readers.ts';
import { definitionName, propertyOf, type TypeSchema } from './type-schema.ts';

type Members = Readonly<Record<string, unknown>>;

interface Field extends FieldStep {
  readonly read: ReadValue;
  readonly isStruct: boolean;
  readonly omit: GoType['omit'];
  /** Whether empty is not the same as absent. */
  readonly tells: boolean;
}

/** Reads the objects of one definition. Fields are worked out when the first value has them. */
export class StructReader {
  readonly #readers: TypeReaders;
  readonly #schema: TypeSchema;
  readonly #fields = new Map<string, Field>();
  #alwaysWritten: Members | undefined;

  constructor(readers: TypeReaders, schema: TypeSchema) {
    this.#readers = readers;
    this.#schema = schema;
  }

  read(value: unknown, walk: DecodeWalk, name: string, goType: string): Members {
    if (!isJsonObject(value)) return walk.refuse(value, goType, 'struct');
    walk.structs.push(name);
    const known = this.#readFields(value, walk);
    walk.structs.pop();
    return this.complete(known);
  }

  /** With what Go writes of fields that nobody set. */
  complete(fields: Members): Members {
    this.#alwaysWritten ??= this.#zeroes();
    let complete: Record<string, unknown> | undefined;
    for (const key in this.#alwaysWritten) {
      if (Object.hasOwn(fields, key)) continue;
      complete ??= { ...fields };
      complete[key] = this.#alwaysWritten[key];
    }
    return complete ?? fields;
  }

  #zeroes(): Members {
    const properties = Object.entries(this.#schema.properties ?? {});
    const written = properties.filter(([, property]) => isAlwaysWritten(property));
    const zeroOf = (property: TypeSchema) =>
      goTypeOf(property).pointer ? null : this.#readers.zero(property);
    return Object.fromEntries(written.map(([key, property]) => [key, zeroOf(property)]));
  }

  /** Copies from the first field on that is not as it was. */
  #readFields(value: Members, walk: DecodeWalk): Members {
    const keys = Object.keys(value);
    let copy: Record<string, unknown> | undefined;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string;
      const found = this.#readField(key, value[key], walk);
      if (!copy && (found === undefined || found !== value[key])) {
        copy = pick(value, keys.slice(0, index));
      }
      if (copy && found !== undefined) copy[key] = found;
    }
    return copy ?? value;
  }

  /** Undefined when nothing is left of it. */
  #readField(key: string, value: unknown, walk: DecodeWalk): unknown {
    const field = this.#fields.get(key) ?? this.#learn(key);
    if (!field) walk.tellUnknown(key);
    if (!field || value === null || value === undefined) return undefined;
    walk.path.push(field);
    const found = field.read(value, walk);
    walk.path.pop();
    if (field.tells) return found ?? undefined;
    if (!isEmpty(found, field)) return found;
    if (field.omit !== '') return undefined;
    return Array.isArray(found) && !walk.keepsEmptyLists ? null : found;
  }

  #learn(key: string): Field | undefined {
    const property = propertyOf(this.#schema, key);
    if (!property) return undefined;
    const { pointer, name, omit } = goTypeOf(property);
    const field = {
      name: key,
      embedded: property['x-go-embedded'],
      read: this.#readers.value(property, name),
      isStruct: definitionName(property) !== undefined,
      omit,
      // An empty list of managers is not the same as none: it asks to forget them.
      tells: pointer || key === 'managedFields',
    };
    this.#fields.set(key, field);
    return field;
  }
}

function pick(value: Members, keys: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key of keys) picked[key] = value[key];
  return picked;
}

function isEmpty(value: unknown, { isStruct, omit }: Field): boolean {
  if (isStruct) return omit === 'omitzero' && value === null;
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || value === null;
}
