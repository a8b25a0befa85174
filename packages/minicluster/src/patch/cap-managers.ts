import { union } from './field-set.ts';
import { compareText, identityOf, type Manager, type Managers, secondsOf } from './managers.ts';

const maxUpdateManagers = 10;

/** Who takes over from updaters that nobody remembers. */
const bucketName = 'ancient-changes';

/**
 * At most ten managers by update: the oldest of a version are merged into one entry until it fits. Appliers are never
 * merged, since they may come back and no longer want a field.
 */
export function capUpdateManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let excess = updaters.length - maxUpdateManagers;
  if (excess <= 0) return managers;
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  for (const [identity, manager] of updaters.sort(oldestFirst)) {
    if (excess <= 0) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, identity);
      continue;
    }
    mergeIntoBucket(capped, first, identity);
    excess -= 1;
  }
  return capped;
}

function oldestFirst([idA, a]: [string, Manager], [idB, b]: [string, Manager]): number {
  return secondsOf(a) - secondsOf(b) || compareText(idA, idB);
}

/** The first of a version becomes the bucket as soon as there is something to merge it with. */
function mergeIntoBucket(managers: Map<string, Manager>, first: string, identity: string): void {
  const manager = managers.get(identity);
  if (!manager) return;
  const empty = { ...manager, manager: bucketName, subresource: '' };
  const bucketIdentity = identityOf(empty);
  const taken = managers.get(bucketIdentity) ?? managers.get(first);
  if (!managers.has(bucketIdentity)) managers.delete(first);
  const fields = taken ? union(manager.fields, taken.fields) : manager.fields;
  managers.set(bucketIdentity, { ...empty, fields });
  managers.delete(identity);
}
