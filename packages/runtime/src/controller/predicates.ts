import type { KubeObject, Stored } from '@liqo/kube';

/** Whether a change is worth a reconcile. Asked about updates only: an object that comes or goes always is. */
export type UpdatePredicate<T extends KubeObject> = (
  before: Stored<T>,
  after: Stored<T>,
) => boolean;

/**
 * The desired state changed, or the deletion began; not when only status, labels or annotations did. Kinds that do not
 * count generations are taken for changed every time.
 */
export function generationChanged(before: Stored<KubeObject>, after: Stored<KubeObject>): boolean {
  const { generation, deletionTimestamp } = after.metadata;
  return (
    generation === undefined ||
    generation !== before.metadata.generation ||
    deletionTimestamp !== before.metadata.deletionTimestamp
  );
}

export function labelsChanged(before: Stored<KubeObject>, after: Stored<KubeObject>): boolean {
  return !sameEntries(before.metadata.labels, after.metadata.labels);
}

export function annotationsChanged(before: Stored<KubeObject>, after: Stored<KubeObject>): boolean {
  return !sameEntries(before.metadata.annotations, after.metadata.annotations);
}

export function anyOf<T extends KubeObject>(
  ...predicates: readonly UpdatePredicate<T>[]
): UpdatePredicate<T> {
  return (before, after) => predicates.some((changed) => changed(before, after));
}

type Entries = Readonly<Record<string, string>>;

function sameEntries(a: Entries = {}, b: Entries = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
}
