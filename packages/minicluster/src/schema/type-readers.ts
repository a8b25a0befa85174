import { isJsonObject } from '@liqo/kube';
import { canonicalBase64 } from './base64.ts';
import { DecodeWalk } from './decode-walk.ts';
import { elementTypeOf } from './go-type.ts';
import { holdsSchemaOrElse, schemaOrElse, staysNull } from './schema-or-else.ts';
import { specialTypes } from './special-types.ts';
import { StructReader } from './struct-reader.ts';
import { definitionName, type Schemas, type TypeSchema } from './type-schema.ts';

/** Reads a value, which is neither undefined nor null, as one of a type. What is canonical already comes back itself. */
export type ReadValue = (value: unknown, walk: DecodeWalk) => unknown;

/** What reading values of the types of a set of schemas takes, worked out once per type. */
export class TypeReaders {
  readonly #schemas: Schemas;
  readonly #structs = new WeakMap<TypeSchema, StructReader>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  struct(schema: TypeSchema): StructReader {
    const known = this.#structs.get(schema);
    if (known) return known;
    const made = new StructReader(this, schema);
    this.#structs.set(schema, made);
    return made;
  }

  /** `goType` is what Go calls the type in its complaints, empty where it has no name but its own. */
  value(node: TypeSchema, goType: string): ReadValue {
    const name = definitionName(node);
    if (name !== undefined) return this.#named(node, name, goType);
    switch (node.type) {
      case 'object':
        return this.#map(node, goType);
      case 'array':
        return this.#list(node.items ?? {}, goType);
      case 'integer':
        return integerReader(goType || (node.format ?? 'int64'));
      case 'number':
        return scalarReader('number', goType || 'float64');
      case 'boolean':
        return scalarReader('boolean', goType || 'bool');
      case 'string':
        return node.format === 'byte' ? readBytes : scalarReader('string', goType || 'string');
      default:
        return (value) => value;
    }
  }

  /** What Go writes of a value that nobody set. */
  zero(node: TypeSchema): unknown {
    const name = definitionName(node);
    if (name !== undefined) return this.#zeroOfDefinition(node, name);
    switch (node.type) {
      case 'string':
        return node.format === 'byte' ? null : '';
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return 0;
      default:
        return null;
    }
  }

  #zeroOfDefinition(node: TypeSchema, name: string): unknown {
    const special = specialTypes.get(name);
    return special ? special.zero : this.struct(this.#schemas.resolve(node)).complete({});
  }

  #named(node: TypeSchema, name: string, goType: string): ReadValue {
    const special = specialTypes.get(name);
    if (special) {
      return (value, walk) => special.decode(value, (json, go) => walk.refuseSpecial(json, go));
    }
    if (holdsSchemaOrElse(name)) return this.#schemaOrElse(name);
    const struct = this.struct(this.#schemas.resolve(node));
    const structName = name.slice(name.lastIndexOf('.') + 1);
    return (value, walk) => struct.read(value, walk, structName, goType);
  }

  /** A schema inside a schema is read by itself, and its unknown fields are nobody's business. */
  #schemaOrElse(name: string): ReadValue {
    return (value, walk) => {
      const either = schemaOrElse(name, value);
      if (!either.isSchema) return either.decode();
      return this.value(either.schema, '')(value, new DecodeWalk(walk.source));
    };
  }

  #map(node: TypeSchema, goType: string): ReadValue {
    const { additionalProperties: element } = node;
    const readElement =
      typeof element === 'object' && this.#element(element, elementTypeOf(goType) ?? '');
    return (value, walk) => {
      if (!isJsonObject(value)) return walk.refuse(value, goType, 'map');
      return readElement ? readMembers(value, readElement, walk) : value;
    };
  }

  #list(items: TypeSchema, goType: string): ReadValue {
    const readElement = this.#element(items, elementTypeOf(goType) ?? '');
    return (value, walk) => {
      if (!Array.isArray(value)) return walk.refuse(value, goType, 'slice');
      return readItems(value, readElement, walk);
    };
  }

  #element(node: TypeSchema, goType: string): ReadValue {
    const read = this.value(node, goType.replace('*', ''));
    return (value, walk) => {
      const isAbsent = value === null || value === undefined;
      return isAbsent ? this.#absentElement(node) : read(value, walk);
    };
  }

  #absentElement(node: TypeSchema): unknown {
    if (staysNull(definitionName(node) ?? '')) return null;
    return node.format === 'byte' ? '' : this.zero(node);
  }
}

type Members = Readonly<Record<string, unknown>>;

function readMembers(value: Members, readElement: ReadValue, walk: DecodeWalk): Members {
  const keys = Object.keys(value);
  const members = keys.map((key) => readAt(key, value[key], readElement, walk));
  if (keys.every((key, index) => value[key] === members[index])) return value;
  return Object.fromEntries(keys.map((key, index) => [key, members[index]]));
}

function readItems(value: readonly unknown[], readElement: ReadValue, walk: DecodeWalk): unknown {
  const items = value.map((item, index) => readAt(index, item, readElement, walk));
  return items.every((item, index) => item === value[index]) ? value : items;
}

function readAt(step: string | number, value: unknown, read: ReadValue, walk: DecodeWalk): unknown {
  walk.path.push(step);
  const found = read(value, walk);
  walk.path.pop();
  return found;
}

function scalarReader(type: 'boolean' | 'number' | 'string', goType: string): ReadValue {
  return (value, walk) => (typeof value === type ? value : walk.refuse(value, goType, type));
}

const int64Range: readonly [number, number] = [-(2 ** 63), 2 ** 63];

const integerRanges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint8: [0, 255],
};

function integerReader(goType: string): ReadValue {
  const [least, most] = integerRanges[goType] ?? int64Range;
  return (value, walk) => {
    if (typeof value === 'number' && Number.isInteger(value)) {
      if (least <= value && value <= most) return value;
      if (walk.source === 'strategic-merge') return Number(BigInt.asIntN(32, BigInt(value)));
    }
    return walk.refuse(value, goType, 'integer');
  };
}

const readByte = integerReader('uint8');

function readBytes(value: unknown, walk: DecodeWalk): unknown {
  if (typeof value === 'string') return canonicalBase64(value);
  if (!Array.isArray(value)) return walk.refuse(value, '[]uint8', 'slice');
  const bytes = value.map((byte) => readByte(byte, walk) as number);
  return Buffer.from(bytes).toString('base64');
}
