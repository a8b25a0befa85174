import { formatTime, type KubeObject, type Random } from '@liqo/kube';
import { recordUpdate } from '../patch/managed-fields.ts';
import type { Item } from '../store/collection.ts';
import type { ApiRequest } from './api-request.ts';
import { withDistinctOwners } from './distinct-owners.ts';
import { inNamespaceOf } from './object-address.ts';
import { validateMetadata } from './object-metadata.ts';
import { ObjectStore } from './object-store.ts';
import { alreadyExists, invalid } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import type { WriteSettings } from './write-options.ts';

export interface CreateSettings extends WriteSettings {
  /** The object comes with its managedFields: it was made by server-side apply. */
  readonly ownsManagedFields?: boolean;
}

/** A new object on its way: defaults, admission, checks, allocations, and at last the store. */
export async function createObject(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  decoded: KubeObject,
  settings: CreateSettings,
): Promise<Item> {
  const managed = withManager(parts, resource, decoded, settings);
  const placed = inNamespaceOf(request, resource, managed);
  if (resource.review) return resource.review(placed, request) as Item;
  const attributes = {
    operation: 'CREATE' as const,
    resource,
    subresource: '',
    namespace: placed.metadata?.namespace,
    name: placed.metadata?.name ?? '',
    previous: undefined,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    dryRun: settings.dryRun,
    user: request.user,
    signal: request.signal,
    warn: request.warn,
  };
  const admitted = (await parts.admission.mutate({ ...attributes, object: placed })) ?? placed;
  const owned = withDistinctOwners(admitted, request, 'admitted');
  const fresh = begin(parts, resource, nameObject(parts, resource, owned));
  const complete = resource.strategy.withDefaults?.(fresh) ?? fresh;
  resource.strategy.allocations?.tryOut(complete, undefined);
  refuseInvalid(resource, complete);
  for (const one of resource.strategy.warnings?.(complete, undefined) ?? []) request.warn(one);
  const name = complete.metadata?.name ?? '';
  await parts.admission.validate({ ...attributes, name, object: complete });
  return storeNew(parts, resource, complete, settings);
}

function storeNew(
  parts: ServerParts,
  resource: Resource,
  object: KubeObject,
  settings: WriteSettings,
): Item {
  const objects = new ObjectStore(parts.store, resource);
  const name = object.metadata?.name ?? '';
  const key = keyFor(resource, object);
  const existing = objects.get(key);
  if (existing) throw alreadyExists(resource, name, existing.metadata.deletionTimestamp);
  const { allocations } = resource.strategy;
  if (settings.dryRun) return (allocations?.tryOut(object, undefined) ?? object) as Item;
  const allocated = allocations?.allocate(object, undefined) ?? object;
  return objects.put(key, undefined, allocated) as Item;
}

/** Whatever the server adds after this has no manager. */
function withManager(
  parts: ServerParts,
  resource: Resource,
  object: KubeObject,
  settings: CreateSettings,
): KubeObject {
  if (settings.ownsManagedFields || parts.unmanaged?.has(resource.plural)) return object;
  const by = { ...managerOf(resource, settings), time: formatTime(parts.clock.now()) };
  return recordUpdate(resource.schemas, resource.schema, undefined, object, by);
}

export function managerOf(resource: Resource, { manager }: WriteSettings) {
  const { group, version } = resource;
  return { manager, apiVersion: group ? `${group}/${version}` : version };
}

function keyFor(resource: Resource, object: KubeObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return resource.namespaced ? `${namespace}/${name}` : name;
}

function refuseInvalid(resource: Resource, object: KubeObject): void {
  const found = validateMetadata(resource, object);
  const problems = [
    ...found,
    ...(resource.strategy.validate?.(object, found) ?? []),
    ...(resource.strategy.validateCreate?.(object) ?? []),
  ];
  if (problems.length > 0) throw invalid(resource, object.metadata?.name ?? '', problems);
}

/** What the server alone decides about a new object. */
function begin(parts: ServerParts, resource: Resource, object: KubeObject): KubeObject {
  const { strategy } = resource;
  const {
    deletionTimestamp: _timestamp,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    resourceVersion: _version,
    selfLink: _link,
    ...metadata
  } = object.metadata ?? {};
  const born = {
    ...object,
    metadata: {
      ...metadata,
      uid: randomUid(parts.random),
      creationTimestamp: formatTime(parts.clock.now()),
      ...(strategy.generation !== 'none' && { generation: 1 }),
    },
  };
  return strategy.onCreate?.(born) ?? born;
}

/** Kubernetes' alphabet: no vowels, no look-alikes. */
const nameLetters = 'bcdfghjklmnpqrstvwxz2456789';
/** So that the whole stays a valid name. */
const maxPrefixLength = 58;
/** Of a thousand objects with the same prefix, two come to the same name once in thirty times. */
const maxNameAttempts = 8;

function nameObject(
  { store, random }: ServerParts,
  resource: Resource,
  object: KubeObject,
): KubeObject {
  const { name, generateName } = object.metadata ?? {};
  if (name || !generateName) return object;
  const objects = new ObjectStore(store, resource);
  for (let attempt = 1; ; attempt++) {
    const generated = generateName.slice(0, maxPrefixLength) + randomSuffix(random);
    const named = { ...object, metadata: { ...object.metadata, name: generated } };
    if (attempt === maxNameAttempts || !objects.get(keyFor(resource, named))) return named;
  }
}

function randomSuffix(random: Random): string {
  const letter = () => nameLetters[Math.floor(random() * nameLetters.length)];
  return Array.from({ length: 5 }, letter).join('');
}

/** A version 4 UUID from the injected chance, so that a seed replays it. */
function randomUid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '89ab'[Math.floor(random() * 4)] as string;
  const text = hex.join('');
  return [8, 12, 16, 20, 32].map((end, i, ends) => text.slice(ends[i - 1] ?? 0, end)).join('-');
}
