import { isJsonObject } from '@liqo/kube';
import { canonicalBase64 } from './base64.ts';
import { conversionFault, type GoKind } from './conversion-fault.ts';
import { DecodeError } from './decode-error.ts';
import { elementTypeOf, type GoType, goTypeOf, isAlwaysWritten, jsonTypeOf } from './go-type.ts';
import { schemaOrElse, staysNull } from './schema-or-else.ts';
import { specialTypes } from './special-types.ts';
import {
  definitionName,
  objectMeta,
  propertyOf,
  referenceTo,
  type Schemas,
  type TypeSchema,
} from './type-schema.ts';

/**
 * How a value becomes an object: the body of a request is read as JSON; what comes of a strategic merge patch, or of an
 * apply, is converted from a generic map, which has other words for the same complaints and sorts the unknown fields.
 */
export type DecodeSource = 'body' | 'strategic-merge';

type Members = Record<string, unknown>;

/** A field, a place in a list, or a key of a map. */
type Step = Field | number | { readonly key: string };

interface Field {
  readonly name: string;
  /** The embedded struct that it comes from. */
  readonly embedded: string | undefined;
}

/** A walk over one value of a built-in type. `path` and `structs` say where it is. */
export class TypedDecoder {
  readonly unknownFields: string[] = [];
  readonly #schemas: Schemas;
  readonly #source: DecodeSource;
  readonly #path: Step[] = [];
  readonly #structs: string[] = [];
  #keepsEmptyLists = false;

  constructor(schemas: Schemas, source: DecodeSource) {
    this.#schemas = schemas;
    this.#source = source;
  }

  decodeRoot(schema: TypeSchema, value: unknown): unknown {
    const [gvk] = schema['x-kubernetes-group-version-kind'] ?? [];
    this.#keepsEmptyLists = gvk?.kind === 'CustomResourceDefinition';
    return this.#struct(schema, gvk?.kind ?? '', value, `${gvk?.version}.${gvk?.kind}`);
  }

  /** The metadata of an object whose other fields are not of built-in types. */
  decodeMetadata(value: unknown): unknown {
    return this.#value(referenceTo(objectMeta), value, 'v1.ObjectMeta');
  }

  /** `value` is neither undefined nor null. */
  #value(node: TypeSchema, value: unknown, goType: string): unknown {
    const name = definitionName(node);
    if (name !== undefined) return this.#named(node, name, value, goType);
    switch (node.type) {
      case 'object':
        return this.#map(node, value, goType);
      case 'array':
        return this.#list(node, value, goType);
      case 'integer':
        return this.#integer(value, goType || (node.format ?? 'int64'));
      case 'number':
        return this.#scalar('number', value, goType || 'float64');
      case 'boolean':
        return this.#scalar('boolean', value, goType || 'bool');
      case 'string':
        return node.format === 'byte' ? this.#bytes(value) : this.#string(value, goType);
      default:
        return value;
    }
  }

  #named(node: TypeSchema, name: string, value: unknown, goType: string): unknown {
    const special = specialTypes.get(name);
    if (special) return special.decode(value, (json, go) => this.#refuseSpecial(json, go));
    const either = schemaOrElse(name, value);
    if (either) return either.isSchema ? this.#nestedSchema(either.schema, value) : either.decode();
    const structName = name.slice(name.lastIndexOf('.') + 1);
    return this.#struct(this.#schemas.resolve(node), structName, value, goType);
  }

  /** A schema inside a schema is read by itself, and its unknown fields are nobody's business. */
  #nestedSchema(schema: TypeSchema, value: unknown): unknown {
    return new TypedDecoder(this.#schemas, this.#source).#value(schema, value, '');
  }

  #struct(schema: TypeSchema, name: string, value: unknown, goType: string): Members {
    if (!isJsonObject(value)) return this.#refuse(value, goType, 'struct');
    this.#structs.push(name);
    const fields: Members = {};
    for (const [key, member] of Object.entries(value)) this.#field(schema, fields, key, member);
    this.#fillIn(schema, fields);
    this.#structs.pop();
    return fields;
  }

  #field(schema: TypeSchema, fields: Members, key: string, value: unknown): void {
    const property = propertyOf(schema, key);
    this.#path.push({ name: key, embedded: property?.['x-go-embedded'] });
    if (!property) this.unknownFields.push(printPath(this.#path));
    else if (value !== null && value !== undefined) this.#setField(fields, key, property, value);
    this.#path.pop();
  }

  #setField(fields: Members, key: string, property: TypeSchema, value: unknown): void {
    const { pointer, name, omit } = goTypeOf(property);
    const decoded = this.#value(property, value, name);
    // An empty list of managers is not the same as none: it asks to forget them.
    const tells = pointer || key === 'managedFields';
    if (tells || !isEmpty(decoded, property, omit)) fields[key] = decoded;
    else if (omit === '') fields[key] = this.#asStored(decoded);
  }

  /** Protobuf, the form in which most kinds are stored, does not know an empty list from none. */
  #asStored(empty: unknown): unknown {
    return Array.isArray(empty) && !this.#keepsEmptyLists ? null : empty;
  }

  /** What Go writes of fields that nobody set. */
  #fillIn(schema: TypeSchema, fields: Members): void {
    const { properties = {} } = schema;
    for (const key in properties) {
      const property = properties[key];
      if (!property || !isAlwaysWritten(property) || Object.hasOwn(fields, key)) continue;
      fields[key] = goTypeOf(property).pointer ? null : this.#zero(property);
    }
  }

  #zero(node: TypeSchema): unknown {
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
    if (special) return special.zero;
    const fields: Members = {};
    this.#fillIn(this.#schemas.resolve(node), fields);
    return fields;
  }

  #map(node: TypeSchema, value: unknown, goType: string): unknown {
    if (!isJsonObject(value)) return this.#refuse(value, goType, 'map');
    const { additionalProperties: element } = node;
    if (typeof element !== 'object') return value;
    const elementType = elementTypeOf(goType) ?? '';
    const members = Object.entries(value).map(([key, member]) => {
      this.#path.push({ key });
      const decoded = this.#element(element, member, elementType);
      this.#path.pop();
      return [key, decoded] as const;
    });
    return Object.fromEntries(members);
  }

  #list(node: TypeSchema, value: unknown, goType: string): unknown {
    if (!Array.isArray(value)) return this.#refuse(value, goType, 'slice');
    const elementType = elementTypeOf(goType) ?? '';
    return value.map((item, index) => {
      this.#path.push(index);
      const decoded = this.#element(node.items ?? {}, item, elementType);
      this.#path.pop();
      return decoded;
    });
  }

  #element(node: TypeSchema, value: unknown, goType: string): unknown {
    const isAbsent = value === null || value === undefined;
    if (!isAbsent) return this.#value(node, value, goType.replace('*', ''));
    if (staysNull(definitionName(node) ?? '')) return null;
    return node.format === 'byte' ? '' : this.#zero(node);
  }

  #string(value: unknown, goType: string): unknown {
    return this.#scalar('string', value, goType || 'string');
  }

  #bytes(value: unknown): unknown {
    if (typeof value === 'string') return canonicalBase64(value);
    if (!Array.isArray(value)) return this.#refuse(value, '[]uint8', 'slice');
    const bytes = value.map((byte) => this.#integer(byte, 'uint8') as number);
    return Buffer.from(bytes).toString('base64');
  }

  #scalar(type: 'boolean' | 'number' | 'string', value: unknown, goType: string): unknown {
    return typeof value === type ? value : this.#refuse(value, goType, type);
  }

  #integer(value: unknown, goType: string): unknown {
    if (typeof value !== 'number') return this.#refuse(value, goType, 'integer');
    const [least, most] = integerRanges[goType] ?? int64Range;
    if (Number.isInteger(value)) {
      if (least <= value && value <= most) return value;
      if (this.#source === 'strategic-merge') return Number(BigInt.asIntN(32, BigInt(value)));
    }
    return this.#refuse(value, goType, 'integer');
  }

  #refuse(value: unknown, goType: string, kind: GoKind): never {
    if (this.#source === 'strategic-merge')
      throw new DecodeError(conversionFault(value, goType, kind));
    const number = kind === 'integer' && typeof value === 'number' ? ` ${value}` : '';
    throw this.#unmarshalFault(jsonTypeOf(value) + number, goType);
  }

  #refuseSpecial(jsonType: string, goType: string): never {
    if (this.#source === 'body') throw this.#unmarshalFault(jsonType, goType);
    throw new DecodeError(`json: cannot unmarshal ${jsonType} into Go value of type ${goType}`);
  }

  /** Go names fields only, embedded ones too: neither the place in a list nor the key in a map is part of its path. */
  #unmarshalFault(jsonType: string, goType: string): DecodeError {
    const struct = this.#structs.at(-1);
    const path = this.#fieldPath();
    const place = struct === undefined ? 'value' : `struct field ${struct}.${path}`;
    return new DecodeError(`json: cannot unmarshal ${jsonType} into Go ${place} of type ${goType}`);
  }

  #fieldPath(): string {
    const names = this.#path.flatMap((step) => {
      if (typeof step === 'number' || !('name' in step)) return [];
      return step.embedded === undefined ? [step.name] : [step.embedded, step.name];
    });
    return names.join('.');
  }
}

function isEmpty(value: unknown, property: TypeSchema, omit: GoType['omit']): boolean {
  const isStruct = definitionName(property) !== undefined;
  if (isStruct) return omit === 'omitzero' && value === null;
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || value === null;
}

const int64Range: readonly [number, number] = [-(2 ** 63), 2 ** 63];

const integerRanges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint8: [0, 255],
};

/** `spec.containers[0].name`. */
function printPath(path: readonly Step[]): string {
  const printed = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return `.${'name' in step ? step.name : step.key}`;
  });
  return printed.join('').replace(/^\./, '');
}
