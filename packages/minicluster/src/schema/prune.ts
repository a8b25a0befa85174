import { isJsonObject } from '@liqo/kube';
import { definitionName, propertyOf, type TypeSchema } from './type-schema.ts';

type Members = Readonly<Record<string, unknown>>;

/** Reads the `metadata` of an object: it is of a built-in type even where all else is custom. */
type ReadMetadata = (metadata: unknown, path: string) => unknown;

export interface Pruned {
  readonly value: unknown;
  readonly unknownFields: readonly string[];
}

/**
 * A custom object without the fields that its structural schema does not specify. Where the schema preserves unknown
 * fields they stay, and what is known among them is pruned in turn. Types are left for validation to check.
 */
export function prune(schema: TypeSchema, value: unknown, readMetadata: ReadMetadata): Pruned {
  const pruner = new Pruner(readMetadata);
  return { value: pruner.prune(schema, value, ''), unknownFields: pruner.unknownFields };
}

class Pruner {
  readonly unknownFields: string[] = [];
  readonly #readMetadata: ReadMetadata;

  constructor(readMetadata: ReadMetadata) {
    this.#readMetadata = readMetadata;
  }

  prune(node: TypeSchema, value: unknown, path: string): unknown {
    if (Array.isArray(value)) {
      const { items } = node;
      return items
        ? value.map((item, index) => this.prune(items, item, `${path}[${index}]`))
        : value;
    }
    return isJsonObject(value) ? this.#pruneMap(node, value, path) : value;
  }

  #pruneMap(node: TypeSchema, value: Members, path: string): Members {
    const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const memberPath = path === '' ? key : `${path}.${key}`;
      const type = typeOfMember(node, key);
      if (type) return this.#keep(key, type, member, memberPath);
      if (preserves(node)) return [[key, member]];
      this.unknownFields.push(memberPath);
      return [];
    });
    return Object.fromEntries(members);
  }

  #keep(key: string, type: TypeSchema, member: unknown, path: string): [string, unknown][] {
    if (definitionName(type) === undefined) return [[key, this.prune(type, member, path)]];
    return [[key, this.#readMetadata(member, path)]];
  }
}

function typeOfMember(node: TypeSchema, key: string): TypeSchema | undefined {
  const { additionalProperties: element } = node;
  return propertyOf(node, key) ?? (typeof element === 'object' ? element : undefined);
}

function preserves(node: TypeSchema): boolean {
  return (
    node['x-kubernetes-preserve-unknown-fields'] === true || node.additionalProperties === true
  );
}
