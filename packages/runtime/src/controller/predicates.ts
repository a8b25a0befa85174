import { type KubeObject, ownMember, type Stored } from '@liqo/kube';

/** Whether a change is worth a reconcile. Asked about updates only: an object that comes or goes always is. */
export type UpdatePredicate<T extends KubeObject> = (
  before: Stored<T>,
  after: Stored<T>,
) => boolean;

export function labelsChanged(before: Stored<KubeObject>, after: Stored<KubeObject>): boolean {
  return !sameEntries(before.metadata.labels, after.metadata.labels);
}

type Entries = Readonly<Record<string, string>>;

function sameEntries(a: Entries = {}, b: Entries = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => ownMember(a, name) === ownMember(b, name))
  );
}
