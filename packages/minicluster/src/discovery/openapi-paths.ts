import type { Resource, Subresource } from '../rest/resource.ts';

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
];
const strategicType = 'application/strategic-merge-patch+json';
const objectTypes = ['application/json', 'application/yaml'];

interface Operation {
  readonly method: string;
  /** Of an object or of a collection. */
  readonly on: 'collection' | 'object';
  readonly action: string;
}

const operations: Readonly<Record<string, Operation>> = {
  list: { method: 'get', on: 'collection', action: 'list' },
  create: { method: 'post', on: 'collection', action: 'post' },
  deletecollection: { method: 'delete', on: 'collection', action: 'deletecollection' },
  get: { method: 'get', on: 'object', action: 'get' },
  update: { method: 'put', on: 'object', action: 'put' },
  patch: { method: 'patch', on: 'object', action: 'patch' },
  delete: { method: 'delete', on: 'object', action: 'delete' },
};

/** The paths of a resource with what can be done there: as much as clients decide by. */
export function resourcePaths(resource: Resource, schemaName: string): Record<string, object> {
  const { group, version, plural, namespaced } = resource;
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const object = `${collection}/{name}`;
  const parts = [...resource.subresources].map(([name, part]): [string, object] => [
    `${object}/${name}`,
    operationsOf(resource, partVerbs(part), 'object', part),
  ]);
  const names = { group, version, kind: resource.kind };
  const described: [string, object][] = [
    [collection, operationsOf(resource, resource.verbs, 'collection', names, schemaName)],
    [object, operationsOf(resource, resource.verbs, 'object', names, schemaName)],
    ...parts,
  ];
  return Object.fromEntries(described.filter(([, found]) => Object.keys(found).length > 0));
}

/** What is created below an object is posted to the object's own path. */
function partVerbs({ verbs }: Subresource): readonly string[] {
  return verbs.filter((verb) => verb !== 'create');
}

type Names = Pick<Subresource, 'group' | 'version' | 'kind'>;

function operationsOf(
  resource: Resource,
  verbs: readonly string[],
  on: Operation['on'],
  { group, version, kind }: Names,
  schemaName?: string,
): object {
  const found = verbs.flatMap((verb): [string, object][] => {
    const operation = operations[verb];
    if (operation?.on !== on) return [];
    return [
      [operation.method, describe(resource, operation, { group, version, kind }, schemaName)],
    ];
  });
  return Object.fromEntries(found);
}

function describe(
  resource: Resource,
  { method, action }: Operation,
  names: Names,
  schemaName: string | undefined,
): object {
  const content = contentTypes(resource, method);
  const schema = schemaName && method !== 'patch' ? referTo(schemaName) : { type: 'object' };
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': names,
    ...(content.length > 0 && {
      parameters: writeParameters(method),
      requestBody: { content: Object.fromEntries(content.map((type) => [type, { schema }])) },
    }),
    responses: { 200: { description: 'OK' } },
  };
}

function contentTypes(resource: Resource, method: string): readonly string[] {
  if (method === 'post' || method === 'put') return objectTypes;
  if (method !== 'patch') return [];
  return resource.custom ? patchTypes : [...patchTypes, strategicType];
}

function writeParameters(method: string): object[] {
  const texts = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  const force = { name: 'force', in: 'query', schema: { type: 'boolean', uniqueItems: true } };
  return method === 'patch' ? [...texts, force] : texts;
}

function referTo(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
