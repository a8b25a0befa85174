import { type ApiError, formatTime, type KubeObject } from '@liqo/kube';
import type { Item } from '../store/collection.ts';
import type { ApiRequest } from './api-request.ts';
import { ObjectStore } from './object-store.ts';
import { conflict, modifiedMeanwhile } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import type { DeleteSettings } from './write-options.ts';

/** `gone` is the last state of what was removed; `lingers` waits for finalizers or for its grace period. */
export type Deletion = { readonly gone: Item } | { readonly lingers: Item };

const maxAttempts = 5;
const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

/** Undefined when there is nothing to delete. */
export async function deleteObject(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  key: string,
  settings: DeleteSettings,
): Promise<Deletion | undefined> {
  const objects = new ObjectStore(parts.store, resource);
  for (let attempt = 1; ; attempt++) {
    const current = objects.get(key);
    if (!current) return undefined;
    refuseUnmet(resource, current, settings);
    const attributes = {
      operation: 'DELETE' as const,
      resource,
      subresource: '',
      namespace: current.metadata.namespace,
      name: current.metadata.name,
      object: undefined,
      previous: current,
      options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
      dryRun: settings.dryRun,
      user: request.user,
      signal: request.signal,
      warn: request.warn,
    };
    await parts.admission.mutate(attributes);
    await parts.admission.validate(attributes);
    const deletion = tryDelete(parts, resource, objects, key, current, settings);
    if (deletion) return deletion;
    if (attempt === maxAttempts) throw modifiedMeanwhile(resource, current.metadata.name);
  }
}

function refuseUnmet(resource: Resource, current: Item, settings: DeleteSettings): void {
  const { name, uid, resourceVersion } = current.metadata;
  const facts = [
    ['UID', settings.uid, uid],
    ['ResourceVersion', settings.resourceVersion, resourceVersion],
  ] as const;
  for (const [what, asked, actual] of facts) {
    if (asked === undefined || asked === actual) continue;
    throw unmetPrecondition(resource, name, { what, asked, actual });
  }
}

/** Namespaces check it themselves; everything else is called by its kind where its plural would be expected. */
function unmetPrecondition(
  resource: Resource,
  name: string,
  { what, asked, actual }: { what: string; asked: string; actual: string },
): ApiError {
  const { group, kind, plural } = resource;
  if (group === '' && plural === 'namespaces') {
    const why = `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${actual}`;
    return conflict(resource, name, why);
  }
  const likely = what === 'UID' ? 'deleted and then recreated' : 'modified';
  const why = `the ${what} in the precondition (${asked}) does not match the ${what} in record (${actual}). The object might have been ${likely}`;
  return conflict({ group, plural: kind }, name, why);
}

function tryDelete(
  parts: ServerParts,
  resource: Resource,
  objects: ObjectStore,
  key: string,
  current: Item,
  settings: DeleteSettings,
): Deletion | undefined {
  // A namespace on its way out takes no further orders.
  const { deletionTimestamp } = current.metadata;
  if (deletionTimestamp && resource.strategy.isHeld?.(current)) return { lingers: current };
  const finalizers = finalizersAfter(resource, current, settings);
  const graceSeconds = graceOf(resource, current, settings);
  const isHeld = finalizers.length > 0 || resource.strategy.isHeld?.(current);
  if (!isHeld && graceSeconds === 0) {
    return removeNow(parts, resource, objects, key, current, settings.dryRun);
  }
  const marked = markDeleted(parts, resource, current, finalizers, graceSeconds);
  if (marked === current) return { lingers: current };
  if (settings.dryRun) return { lingers: marked as Item };
  const lingers = objects.put(key, current, marked);
  return lingers && { lingers };
}

/** Kinds with a grace period are marked even when theirs is over at once: watchers see both. */
function removeNow(
  parts: ServerParts,
  resource: Resource,
  objects: ObjectStore,
  key: string,
  current: Item,
  dryRun: boolean,
): Deletion | undefined {
  const marks = resource.strategy.gracePeriodSeconds !== undefined;
  const marked = marks ? markDeleted(parts, resource, current, [], 0) : current;
  if (dryRun) return { gone: marked as Item };
  const last = marked === current ? current : objects.put(key, current, marked);
  if (!last) return undefined;
  const gone = objects.remove(key, last);
  if (!gone) return undefined;
  resource.strategy.allocations?.release(gone);
  return { gone };
}

/** The deletion policy is written into the object as a finalizer, which the garbage collector takes off. */
function finalizersAfter(
  resource: Resource,
  current: Item,
  settings: DeleteSettings,
): readonly string[] {
  const { finalizers = [] } = current.metadata;
  const asked = settings.orphanDependents ? 'Orphan' : settings.propagationPolicy;
  const policy = asked ?? (resource.strategy.orphansByDefault ? 'Orphan' : undefined);
  if (policy === undefined) return finalizers;
  const others = finalizers.filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer);
  if (policy === 'Orphan') return [...others, orphanFinalizer];
  return policy === 'Foreground' ? [...others, foregroundFinalizer] : others;
}

function graceOf(resource: Resource, current: Item, settings: DeleteSettings): number {
  const asked = settings.gracePeriodSeconds;
  const wanted = resource.strategy.gracePeriodSeconds?.(current, asked) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.metadata;
  // A second deletion can only hasten the first one.
  return deletionTimestamp ? Math.min(wanted, deletionGracePeriodSeconds) : wanted;
}

function markDeleted(
  parts: ServerParts,
  resource: Resource,
  current: Item,
  finalizers: readonly string[],
  graceSeconds: number,
): KubeObject {
  const { metadata } = current;
  const sameFinalizers = finalizers.join() === (metadata.finalizers ?? []).join();
  const sooner = graceSeconds < (metadata.deletionGracePeriodSeconds ?? 0);
  if (metadata.deletionTimestamp && sameFinalizers && !sooner) return current;
  const dueMs = parts.clock.now() + graceSeconds * 1000;
  const { generation } = metadata;
  const counts =
    !metadata.deletionTimestamp &&
    generation !== undefined &&
    resource.strategy.generation !== 'none';
  const marked = {
    ...current,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
      ...(counts && { generation: generation + 1 }),
      deletionTimestamp: formatTime(dueMs),
      deletionGracePeriodSeconds: graceSeconds,
    },
  };
  return resource.strategy.onDelete?.(marked) ?? marked;
}

/** Marked as deleted, and nothing holds it any more. */
export function isFinished(resource: Resource, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = object.metadata ?? {};
  if (deletionTimestamp === undefined || finalizers.length > 0) return false;
  return (deletionGracePeriodSeconds ?? 0) === 0 && !resource.strategy.isHeld?.(object);
}

/** An update that took off the last finalizer is a removal. */
export function removeFinished(
  resource: Resource,
  objects: ObjectStore,
  current: Item,
  last: KubeObject,
  dryRun: boolean,
): Item | undefined {
  if (dryRun) return withVersionOf(current, last);
  const { namespace, name } = current.metadata;
  const removed = objects.remove(resource.namespaced ? `${namespace}/${name}` : name, current);
  if (!removed) return undefined;
  resource.strategy.allocations?.release(removed);
  return withVersionOf(current, last);
}

/** What was not stored has the version of what is, or was. */
export function withVersionOf({ metadata: { resourceVersion } }: Item, object: KubeObject): Item {
  return { ...object, metadata: { ...object.metadata, resourceVersion } } as Item;
}
