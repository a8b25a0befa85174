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
    if (Array.isArray(value)) return this.#pruneList(node, value, path);
    return isJsonObject(value) ? this.#pruneMap(node, value, path) : value;
  }

  #pruneList({ items }: TypeSchema, list: readonly unknown[], path: string): readonly unknown[] {
    if (!items) return list;
    const pruned = list.map((item, index) => this.prune(items, item, `${path}[${index}]`));
    return pruned.every((item, index) => item === list[index]) ? list : pruned;
  }

  #pruneMap(node: TypeSchema, value: Members, path: string): Members {
    const keys = Object.keys(value);
    const kept = keys.filter((key) => this.#keeps(node, key, path));
    const members = kept.map((key) => this.#pruneMember(node, key, value[key], pathTo(path, key)));
    const isWhole = kept.length === keys.length;
    if (isWhole && kept.every((key, index) => value[key] === members[index])) return value;
    return Object.fromEntries(kept.map((key, index) => [key, members[index]]));
  }

  #keeps(node: TypeSchema, key: string, path: string): boolean {
    if (typeOfMember(node, key) || preserves(node)) return true;
    this.unknownFields.push(pathTo(path, key));
    return false;
  }

  #pruneMember(node: TypeSchema, key: string, member: unknown, path: string): unknown {
    const type = typeOfMember(node, key);
    if (!type) return member;
    const isMetadata = definitionName(type) !== undefined;
    return isMetadata ? this.#readMetadata(member, path) : this.prune(type, member, path);
  }
}

function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
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
