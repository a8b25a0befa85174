import { apiVersionOf, type CustomResourceDefinition, type KubeObject } from '@liqo/kube';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from 'kubernetes-types/apiextensions/v1.d.ts';
import { invalid } from '../resources/validation/field-problem.ts';
import { finalizerWarnings } from '../rest/object-metadata.ts';
import type { Resource, StorageView, Strategy, Subresource } from '../rest/resource.ts';
import { customSchemas } from '../schema/custom-schemas.ts';
import { decodeObject } from '../schema/decode.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import type { Item } from '../store/collection.ts';
import { withDefaultValues } from './default-values.ts';
import { ObjectValidator } from './object-validator.ts';
import { printerColumns } from './printer-columns.ts';
import { readScaleFields, scalePaths } from './scale-paths.ts';
import { selectableFields } from './selectable-fields.ts';
import { schemaOf } from './version-schema.ts';

const verbs = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
] as const;
const subresourceVerbs = ['get', 'patch', 'update'] as const;

/** The resources that a CustomResourceDefinition makes: one for every version that is served. */
export function buildResources(crd: CustomResourceDefinition): readonly Resource[] {
  const { spec, status } = crd;
  const names = status?.acceptedNames?.plural ? status.acceptedNames : spec.names;
  const served = (spec.versions ?? []).filter((version) => version.served);
  return served.map((version) => buildResource(crd, version, names));
}

function buildResource(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  names: CustomResourceDefinitionNames,
): Resource {
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List` } = names;
  const schema = schemaOf(version) ?? {};
  const types = customSchemas(schema);
  const gvk = { group: spec.group, version: version.name, kind };
  const stored = spec.versions.find((one) => one.storage) ?? version;
  const { scale } = version.subresources ?? {};
  return {
    ...gvk,
    plural,
    singular,
    listKind,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    verbs,
    ...types,
    decode: (value) => decodeObject(types.schemas, types.schema, value),
    selectableFields: selectableFields(version),
    strategy: customStrategy(schema, version),
    subresources: subresourcesOf(version, gvk),
    ...(scale && { scale: scalePaths(readScaleFields(scale)) }),
    columns: printerColumns(version.additionalPrinterColumns),
    custom: true,
    viewOf: storageView({ ...gvk, plural }, stored),
  };
}

function subresourcesOf(
  { subresources }: CustomResourceDefinitionVersion,
  gvk: { readonly group: string; readonly version: string; readonly kind: string },
): ReadonlyMap<string, Subresource> {
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: subresourceVerbs };
  return new Map<string, Subresource>([
    ...(subresources?.status ? [['status', { ...gvk, verbs: subresourceVerbs }] as const] : []),
    ...(subresources?.scale ? [['scale', scale] as const] : []),
  ]);
}

type WithStatus = KubeObject & { readonly status?: unknown };

function customStrategy(schema: TypeSchema, version: CustomResourceDefinitionVersion): Strategy {
  const { status, scale } = version.subresources ?? {};
  const validator = new ObjectValidator(schema, scale && readScaleFields(scale));
  return {
    withDefaults: (object) => withDefaultValues(schema, object) as KubeObject,
    ...(status && { onCreate: withoutStatus, onUpdate: withStatusOf }),
    onStatusUpdate: statusAlone,
    // Only what is new has no version; updates are checked by what forgives faults that were there before.
    validate: (object, found) => (hasVersion(object) ? [] : validator.validate(object, found)),
    validateUpdate: (next, previous, found) =>
      hasVersion(next) ? validator.validateUpdate(next, previous, found) : [versionRequired],
    validateStatusUpdate: (next, previous, found) =>
      validator.validateStatusUpdate(next, previous, found),
    requiresVersion: true,
    warnings: finalizerWarnings,
  };
}

const versionRequired = invalid('metadata.resourceVersion', 0, 'must be specified for an update');

function hasVersion({ metadata }: KubeObject): boolean {
  return metadata?.resourceVersion !== undefined;
}

function withoutStatus(object: WithStatus): KubeObject {
  const { status: _, ...rest } = object;
  return rest;
}

function withStatusOf(next: WithStatus, previous: WithStatus): WithStatus {
  const rest = withoutStatus(next);
  return previous.status === undefined ? rest : { ...rest, status: previous.status };
}

/** Besides the status only who manages it changes: labels and all else stay as they are. */
function statusAlone(next: WithStatus, previous: Item): KubeObject {
  const { managedFields } = next.metadata ?? {};
  const metadata = { ...previous.metadata, ...(managedFields && { managedFields }) };
  return withStatusOf({ ...previous, metadata }, next);
}

/**
 * Objects are kept in one version and read in any: only `apiVersion` differs. Defaults that the stored version got since
 * the object was written are filled in. What was read once is not made again.
 */
function storageView(
  resource: Pick<Resource, 'group' | 'version' | 'plural'>,
  stored: CustomResourceDefinitionVersion,
): StorageView {
  const { group, plural } = resource;
  const schema = schemaOf(stored);
  const seen = new WeakMap<Item, Item>();
  const view = (item: Item): Item => {
    const complete = withDefaultValues(schema, item) as Item;
    return { ...complete, apiVersion: apiVersionOf(resource) };
  };
  const storedVersion = apiVersionOf({ group, version: stored.name });
  return {
    group,
    plural,
    fromStorage: (item) => {
      const known = seen.get(item) ?? view(item);
      seen.set(item, known);
      return known;
    },
    toStorage: (object) => ({ ...object, apiVersion: storedVersion }),
  };
}
