import type { Kind, KubeObject, Stored } from '@liqo/kube';
import type {
  Resource,
  ScalePaths,
  StorageView,
  Strategy,
  Subresource,
  TableColumn,
} from '../rest/resource.ts';
import type { Schemas } from '../schema/type-schema.ts';
import type { Item } from '../store/collection.ts';
import { createdAtColumns } from './printing/columns.ts';

/** What a subresource is called in discovery and what it can be asked. */
type SubresourceNames = Omit<Subresource, 'handle'>;

/** A built-in resource without the types its objects are checked against. */
export interface ResourceDefinition
  extends Omit<Resource, 'schemas' | 'schema' | 'subresources' | 'custom'> {
  readonly subresources: Readonly<Record<string, SubresourceNames>>;
}

/** What is particular about a resource; everything left out is as for most of them. */
interface ResourceTraits<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly string[];
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  readonly subresources?: Readonly<Record<string, SubresourceNames>>;
  readonly scale?: ScalePaths;
  readonly columns?: readonly TableColumn[];
  readonly strategy?: Strategy;
  /** The status of a new object, whatever its creator wrote unless `as-given`. Absent for kinds without a status. */
  readonly freshStatus?: object | 'as-given';
  readonly viewOf?: StorageView;
}

const allVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const;

export function defineResource<T extends KubeObject>(
  traits: ResourceTraits<T>,
): ResourceDefinition {
  const { group, version, kind, plural, namespaced } = traits.kind;
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: traits.singular ?? kind.toLowerCase(),
    shortNames: traits.shortNames ?? [],
    categories: traits.categories ?? [],
    namespaced,
    verbs: traits.verbs ?? allVerbs,
    selectableFields: (traits.selectableFields ?? {}) as Resource['selectableFields'],
    strategy: withStatusRules(traits.strategy ?? {}, traits.freshStatus),
    subresources: traits.subresources ?? {},
    columns: traits.columns ?? createdAtColumns,
    ...(traits.scale && { scale: traits.scale }),
    ...(traits.viewOf && { viewOf: traits.viewOf }),
  };
}

type SubresourceHandler = NonNullable<Subresource['handle']>;

/** Handlers by `<plural>[.<group>]/<subresource>`: `pods/exec`, `certificatesigningrequests.certificates.k8s.io/approval`. */
export type SubresourceHandlers = Readonly<Record<string, SubresourceHandler>>;

/** Served for every resource that names them, without a handler of its own. */
const commonSubresources: readonly string[] = ['status', 'scale'];

/**
 * The resource itself. A subresource that nobody handles is left out, so that discovery never promises what the server
 * cannot do.
 */
export function buildResource(
  definition: ResourceDefinition,
  schemas: Schemas,
  handlers: SubresourceHandlers,
): Resource {
  const { group, version, kind, plural } = definition;
  const schema = schemas.ofKind(group, version, kind);
  if (!schema) throw new Error(`Cannot serve "${plural}": no schema of kind "${kind}"`);
  const qualified = group ? `${plural}.${group}` : plural;
  const served = Object.entries(definition.subresources).flatMap(
    ([name, names]): [string, Subresource][] => {
      const handle = handlers[`${qualified}/${name}`];
      if (handle) return [[name, { ...names, handle }]];
      const isServed = commonSubresources.includes(name) || definition.strategy.parts?.[name];
      return isServed ? [[name, names]] : [];
    },
  );
  return { ...definition, schemas, schema, subresources: new Map(served) };
}

type WithStatus = KubeObject & { readonly status?: unknown };

/** Only the status subresource writes the status, and it writes nothing else but metadata. */
function withStatusRules(strategy: Strategy, freshStatus: object | string | undefined): Strategy {
  if (!freshStatus) return strategy;
  return {
    ...strategy,
    onCreate: (object) => {
      const isGiven = freshStatus === 'as-given';
      const fresh: WithStatus = isGiven ? object : { ...object, status: freshStatus };
      return strategy.onCreate?.(fresh) ?? fresh;
    },
    onUpdate: (next, previous) => {
      const kept = withStatusOf(next, previous);
      return strategy.onUpdate?.(kept, previous) ?? kept;
    },
    onStatusUpdate: (next, previous) => {
      const kept = statusAndMetadata(next, previous);
      return strategy.onStatusUpdate?.(kept, previous) ?? kept;
    },
  };
}

function withStatusOf(next: WithStatus, previous: WithStatus): WithStatus {
  const { status: _, ...rest } = next;
  return previous.status === undefined ? rest : { ...rest, status: previous.status };
}

/** Labels, annotations and finalizers can be written through the status, what the server keeps cannot. */
function statusAndMetadata(next: WithStatus, previous: Stored<WithStatus>): KubeObject {
  return {
    ...withStatusOf(previous, next),
    metadata: { ...next.metadata, ...serverMetadata(previous) },
  };
}

function serverMetadata({ metadata }: Item): object {
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } =
    metadata;
  return {
    uid,
    creationTimestamp,
    ...(generation !== undefined && { generation }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
}

const readAndWrite = ['get', 'patch', 'update'] as const;

/** `status` and the like: another way to read and write the same object. */
export function partOf(kind: Kind, verbs: readonly string[] = readAndWrite): SubresourceNames {
  return { kind: kind.kind, group: kind.group, version: kind.version, verbs };
}

export const scaleSubresource: SubresourceNames = {
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: readAndWrite,
};
