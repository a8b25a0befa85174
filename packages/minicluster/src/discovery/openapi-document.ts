import type { Resource } from '../rest/resource.ts';
import { belowPreserved } from '../schema/custom-schemas.ts';
import { definitionName, type Schemas, type TypeSchema } from '../schema/type-schema.ts';
import { type GroupVersion, groupVersionOf } from './group-versions.ts';
import { resourcePaths } from './openapi-paths.ts';

/** The types of one group version and the paths to its objects: what `kubectl apply` and `explain` read. */
export function openApiDocument(served: GroupVersion): object {
  const schemas = new Map<string, object>();
  for (const resource of served.resources) {
    const [name, schema] = rootSchema(resource);
    collect(schemas, resource.schemas, name, schema);
  }
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.35.4' },
    paths: Object.assign({}, ...served.resources.map((one) => resourcePaths(one, rootName(one)))),
    components: { schemas: Object.fromEntries(sorted) },
  };
}

function rootName(resource: Resource): string {
  const own = resource.schemas.names.find((name) => {
    return resource.schemas.definition(name) === resource.schema;
  });
  return own ?? [...resource.group.split('.').reverse(), resource.version, resource.kind].join('.');
}

function rootSchema(resource: Resource): [string, TypeSchema] {
  const { group, version, kind } = resource;
  const named = { 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
  return [rootName(resource), { ...resource.schema, ...named }];
}

/** A definition and everything it refers to. */
function collect(
  found: Map<string, object>,
  schemas: Schemas,
  name: string,
  schema: TypeSchema,
): void {
  if (found.has(name)) return;
  found.set(name, published(schema));
  for (const reference of referencesOf(schema)) {
    const definition = schemas.definition(reference);
    if (definition) collect(found, schemas, reference, definition);
  }
}

function referencesOf(node: TypeSchema): string[] {
  const name = definitionName(node);
  const { properties = {}, items, additionalProperties } = node;
  const inside = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return [...(name === undefined ? [] : [name]), ...inside.flatMap(referencesOf)];
}

/** Notes that the server made for itself. */
const privateKeys = new Set(['x-go-type', 'x-go-embedded', belowPreserved]);

function published(schema: TypeSchema): object {
  const text = JSON.stringify(schema, (key, value) => (privateKeys.has(key) ? undefined : value));
  return JSON.parse(text);
}

/** `api/v1`, `apis/apps/v1`: its place below `/openapi/v3`. */
export function documentPath(served: GroupVersion): string {
  return served.group ? `apis/${groupVersionOf(served)}` : `api/${served.version}`;
}
