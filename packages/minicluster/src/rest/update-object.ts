import { ApiError, deepEqual, formatTime, type KubeObject } from '@liqo/kube';
import { recordUpdate } from '../patch/managed-fields.ts';
import { keepTimesIfUnchanged } from '../patch/unchanged-times.ts';
import type { Item } from '../store/collection.ts';
import type { ApiRequest } from './api-request.ts';
import { managerOf } from './create-object.ts';
import { isFinished, removeFinished, withVersionOf } from './delete-object.ts';
import { withDistinctOwners } from './distinct-owners.ts';
import { validateMetadataUpdate } from './object-metadata.ts';
import { ObjectStore } from './object-store.ts';
import { conflict, type FieldProblem, invalid, modifiedMeanwhile } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import type { WriteSettings } from './write-options.ts';

/** A change to the object at `key`, as a function of what is there: it runs again when somebody else was faster. */
export interface Change {
  readonly key: string;
  readonly subresource: string;
  readonly settings: WriteSettings;
  /** May be asynchronous, and throws an `ApiError` to refuse. */
  compute(current: Item): KubeObject | Promise<KubeObject>;
  /** The new managedFields are part of what `compute` gives (server-side apply). */
  readonly ownsManagedFields?: boolean;
  /** A UID is part of the change, which is invalid then, and not a condition for it. */
  readonly isPatch?: boolean;
}

/** As often as the real server tries before it tells the client that it lost the race. */
const maxAttempts = 5;

export async function updateObject(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  change: Change,
): Promise<Item | undefined> {
  const objects = new ObjectStore(parts.store, resource);
  for (let attempt = 1; ; attempt++) {
    const current = objects.get(change.key);
    if (!current) return undefined;
    const stored = await tryUpdate(parts, resource, request, change, objects, current);
    if (stored) return stored;
    if (attempt === maxAttempts) throw modifiedMeanwhile(resource, current.metadata.name);
  }
}

/** Undefined when the object was changed while this change was on its way. */
async function tryUpdate(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  change: Change,
  objects: ObjectStore,
  current: Item,
): Promise<Item | undefined> {
  const asked = await change.compute(current);
  const part = resource.strategy.parts?.[change.subresource];
  const wanted = part ? part.onUpdate(asked, current) : asked;
  if (!change.isPatch) refuseOtherUid(resource, current, wanted);
  refuseUnversioned(resource, current, wanted);
  refuseOtherVersion(resource, current, wanted);
  const owned = change.ownsManagedFields
    ? wanted
    : withManager(parts, resource, change, current, wanted);
  const next = keepServerFields(resource, change.subresource, current, owned);
  const attributes = {
    operation: 'UPDATE' as const,
    resource,
    subresource: change.subresource,
    namespace: current.metadata.namespace,
    name: current.metadata.name,
    previous: current,
    options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
    dryRun: change.settings.dryRun,
    user: request.user,
    signal: request.signal,
    warn: request.warn,
  };
  const admitted = (await parts.admission.mutate({ ...attributes, object: next })) ?? next;
  const distinct = withDistinctOwners(admitted, request, 'admitted');
  if (change.subresource === '') resource.strategy.allocations?.tryOut(distinct, current);
  refuseInvalidUpdate(resource, change.subresource, distinct, current);
  for (const one of warningsOf(resource, change.subresource, distinct, current)) request.warn(one);
  await parts.admission.validate({ ...attributes, object: distinct });
  return storeUpdate(resource, change, objects, current, distinct);
}

function warningsOf(
  { strategy }: Resource,
  subresource: string,
  next: KubeObject,
  current: Item,
): readonly string[] {
  const isStatus = subresource === 'status';
  const told = isStatus ? strategy.statusWarnings?.(next) : strategy.warnings?.(next, current);
  return told ?? [];
}

/** What is stored gets the defaults that it has come to lack since it was read: a real server adds them on reading. */
function storeUpdate(
  resource: Resource,
  change: Change,
  objects: ObjectStore,
  current: Item,
  next: KubeObject,
): Item | undefined {
  const { dryRun } = change.settings;
  const { allocations, withDefaults } = resource.strategy;
  const reserve = dryRun ? 'tryOut' : 'allocate';
  const allocated = allocations?.[reserve](next, current) ?? next;
  const complete = withDefaults?.(allocated) ?? allocated;
  const last = keepTimesIfUnchanged(current, complete);
  if (isFinished(resource, last)) return removeFinished(resource, objects, current, last, dryRun);
  const unstored = withVersionOf(current, last);
  if (deepEqual(unstored, current)) return current;
  if (dryRun) return unstored;
  return objects.put(change.key, current, last);
}

function withManager(
  parts: ServerParts,
  resource: Resource,
  change: Change,
  current: Item,
  next: KubeObject,
): KubeObject {
  // Nobody manages any of it, and nobody says so.
  if (!current.metadata.managedFields && !next.metadata?.managedFields) return next;
  const by = {
    ...managerOf(resource, change.settings),
    subresource: change.subresource,
    // Many changes are not recorded: only those that are need the time in words.
    get time() {
      return formatTime(parts.clock.now());
    },
  };
  return recordUpdate(resource.schemas, resource.schema, current, next, by);
}

function refuseOtherUid(resource: Resource, current: Item, wanted: KubeObject): void {
  const { name, uid } = current.metadata;
  const asked = wanted.metadata?.uid;
  if (!asked || asked === uid) return;
  const why = `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${uid}`;
  throw conflict(resource, name, why);
}

function refuseOtherVersion(resource: Resource, current: Item, wanted: KubeObject): void {
  const { name, resourceVersion } = current.metadata;
  const asked = wanted.metadata ?? {};
  refuseNoVersion(asked.resourceVersion || '0');
  if (asked.resourceVersion && asked.resourceVersion !== resourceVersion) {
    throw modifiedMeanwhile(resource, name);
  }
}

/** The real server takes it for a fault of its own. */
function refuseNoVersion(version: string): void {
  if (/^\d+$/.test(version)) return;
  const message = `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`;
  throw new ApiError({ status: 'Failure', code: 500, message });
}

/** What an update cannot change, and what only the subresource can. */
function keepServerFields(
  resource: Resource,
  subresource: string,
  current: Item,
  wanted: KubeObject,
): KubeObject {
  const { strategy } = resource;
  if (subresource === 'status') {
    return strategy.onStatusUpdate?.(wanted, current) ?? statusOnly(wanted, current);
  }
  const next = (subresource === '' && strategy.onUpdate?.(wanted, current)) || wanted;
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } =
    current.metadata;
  const { generation = 0 } = current.metadata;
  // Where a pod runs is not what it is.
  const counts = subresource !== 'binding' && isNewGeneration(resource, next, current);
  const kept = {
    uid: next.metadata?.uid || uid,
    creationTimestamp,
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    ...(generation > 0 && { generation: counts ? generation + 1 : generation }),
  };
  const { generation: _, ...metadata } = next.metadata ?? {};
  return { ...next, metadata: { ...metadata, ...kept } };
}

function isNewGeneration({ strategy }: Resource, next: KubeObject, current: Item): boolean {
  if (strategy.generation === 'none') return false;
  const { annotations = {} } = next.metadata ?? {};
  return (
    !deepEqual(contentOf(next), contentOf(current)) ||
    (strategy.generation === 'spec and annotations' &&
      !deepEqual(annotations, current.metadata.annotations ?? {}))
  );
}

/** Of a status update only the status counts, and who manages it. */
function statusOnly(wanted: KubeObject, current: Item): KubeObject {
  const { status } = wanted as { status?: unknown };
  const managedFields = wanted.metadata?.managedFields ?? current.metadata.managedFields;
  const metadata = { ...current.metadata, ...(managedFields && { managedFields }) };
  return { ...current, metadata, ...(status !== undefined && { status }) };
}

function contentOf(object: KubeObject): object {
  const { metadata: _, status: __, ...content } = object as KubeObject & { status?: unknown };
  return content;
}

/** Kinds that insist say so, also of a status. */
function refuseUnversioned(resource: Resource, current: Item, wanted: KubeObject): void {
  if (!resource.strategy.requiresVersion || wanted.metadata?.resourceVersion) return;
  const field = 'metadata.resourceVersion';
  const message = 'Invalid value: 0: must be specified for an update';
  const { group, plural } = resource;
  const problem = { field, reason: 'FieldValueInvalid', message } as const;
  throw invalid({ group, kind: plural }, current.metadata.name, [problem]);
}

function refuseInvalidUpdate(
  resource: Resource,
  subresource: string,
  next: KubeObject,
  current: Item,
): void {
  const found = validateMetadataUpdate(resource, next, current);
  const problems: FieldProblem[] = [...found];
  const { strategy } = resource;
  if (subresource === 'status') {
    problems.push(...(strategy.validateStatusUpdate?.(next, current, found) ?? []));
  } else if (strategy.parts?.[subresource]) {
    problems.push(...strategy.parts[subresource].validateUpdate(next, current));
  } else if (subresource === '' || (subresource === 'scale' && resource.custom)) {
    const faults = strategy.validate?.(next, found) ?? [];
    const changes = strategy.validateUpdate?.(next, current, found) ?? [];
    problems.push(
      ...(strategy.tellsChangesFirst ? [...changes, ...faults] : [...faults, ...changes]),
    );
  }
  if (problems.length > 0) throw invalid(resource, current.metadata.name, problems);
}
