/** What the generator knows of a schema: it copies whatever else is there. */
export interface OpenApiSchema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
}

export type Definitions = Readonly<Record<string, OpenApiSchema>>;

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const refPrefix = '#/components/schemas/';

/** The schema without what is only for people to read. A property may well be called `description`. */
export function withoutProse(schema: OpenApiSchema): OpenApiSchema {
  const kept = Object.entries(schema).filter(([key]) => !['description', 'example'].includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutProseIn(key, value)]));
}

function withoutProseIn(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
      return mapValues(value as Definitions, withoutProse);
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as OpenApiSchema[]).map(withoutProse);
    case 'additionalProperties':
    case 'items':
      return typeof value === 'object' ? withoutProse(value as OpenApiSchema) : value;
    default:
      return value;
  }
}

export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}

/** The name of the definition of a kind. */
export function nameOfKind(definitions: Definitions, wanted: GroupVersionKind): string {
  const found = Object.entries(definitions).find(([, schema]) => isOfKind(schema, wanted));
  if (found) return found[0];
  const { group, version, kind } = wanted;
  throw new Error(`Cannot find kind "${kind}" of "${group}/${version}": no definition has it`);
}

function isOfKind(schema: OpenApiSchema, { group, version, kind }: GroupVersionKind): boolean {
  const listed = (schema['x-kubernetes-group-version-kind'] ?? []) as GroupVersionKind[];
  return listed.some((one) => one.group === group && one.version === version && one.kind === kind);
}

/** The definitions that the named ones lead to, themselves included, sorted by name. */
export function reachable(definitions: Definitions, roots: readonly string[]): Definitions {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...referencesIn(definitions[name]));
  }
  return Object.fromEntries([...found].sort().map((name) => [name, definitions[name] ?? {}]));
}

function referencesIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.startsWith(refPrefix) ? [value.slice(refPrefix.length)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}
