/** One node of an OpenAPI v3 / structural schema: built-in kinds and custom resources alike. */
export interface TypeSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly additionalProperties?: boolean | TypeSchema;
  readonly items?: TypeSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly allOf?: readonly TypeSchema[];
  readonly anyOf?: readonly TypeSchema[];
  readonly oneOf?: readonly TypeSchema[];
  readonly not?: TypeSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  /** Of a built-in kind: the server's own type of the property, see `GoType`. */
  readonly 'x-go-type'?: string;
  /** Of a built-in kind: the struct, embedded in that of the definition, which brings the property. */
  readonly 'x-go-embedded'?: string;
  readonly [extension: `x-${string}`]: unknown;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const refPrefix = '#/components/schemas/';

/** The definition of `metadata`. */
export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** A set of definitions that refer to each other by `$ref`, and the kinds among them. Never changes. */
export class Schemas {
  readonly #definitions: ReadonlyMap<string, TypeSchema>;
  readonly #kinds: ReadonlyMap<string, TypeSchema>;

  constructor(definitions: Readonly<Record<string, TypeSchema>>) {
    this.#definitions = new Map(Object.entries(definitions));
    this.#kinds = new Map(Object.values(definitions).flatMap(entriesOfKinds));
  }

  /** `io.k8s.api.core.v1.Pod` and so on. */
  get names(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  definition(name: string): TypeSchema | undefined {
    return this.#definitions.get(name);
  }

  ofKind(group: string, version: string, kind: string): TypeSchema | undefined {
    return this.#kinds.get(kindKey({ group, version, kind }));
  }

  /**
   * The definition that a node stands for: follows `$ref`, and the single `allOf` in which OpenAPI v3 wraps a reference
   * to have room for a default. What the node itself says besides is not part of the answer.
   */
  resolve(node: TypeSchema): TypeSchema {
    const name = definitionName(node);
    return name === undefined ? node : this.#find(name);
  }

  #find(name: string): TypeSchema {
    const found = this.#definitions.get(name);
    if (found) return found;
    throw new Error(`Cannot resolve type "${name}": there is no such definition`);
  }
}

/** The definition a node refers to; undefined for a type that is spelled out in place. */
export function definitionName(node: TypeSchema): string | undefined {
  const ref = node.$ref ?? (node.allOf?.length === 1 ? node.allOf[0]?.$ref : undefined);
  return ref?.startsWith(refPrefix) ? ref.slice(refPrefix.length) : undefined;
}

export function referenceTo(name: string): TypeSchema {
  return { $ref: refPrefix + name };
}

/** The declared property of that name; never something inherited such as `constructor`. */
export function propertyOf(schema: TypeSchema, name: string): TypeSchema | undefined {
  const { properties } = schema;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function entriesOfKinds(schema: TypeSchema): [string, TypeSchema][] {
  return (schema['x-kubernetes-group-version-kind'] ?? []).map((gvk) => [kindKey(gvk), schema]);
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
