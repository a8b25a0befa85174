import { deepEqual, type KubeObject } from '@liqo/kube';

/**
 * `after` with the times of `before` if nothing else of it is new: an apply that says the same in other words (`1000m`
 * for `1`), or takes away what a default brings back, is then no change at all. To be asked last of all, when the
 * object is about to be stored.
 */
export function keepTimesIfUnchanged(before: KubeObject, after: KubeObject): KubeObject {
  const entries = before.metadata?.managedFields;
  if (!entries || entries.length !== after.metadata?.managedFields?.length) return after;
  if (!deepEqual(withoutTimes(before), withoutTimes(after))) return after;
  return { ...after, metadata: { ...after.metadata, managedFields: entries } };
}

function withoutTimes(object: KubeObject): object {
  const managedFields = object.metadata?.managedFields?.map(({ time: _, ...entry }) => entry);
  return { ...object, metadata: { ...object.metadata, managedFields } };
}
