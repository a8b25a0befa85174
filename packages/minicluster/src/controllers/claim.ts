import {
  isNotFound,
  type Json,
  type KubeObject,
  keyOf,
  type LabelQuery,
  matchesLabels,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import type { Informer } from './informer.ts';
import { controllerOf, forgeControllerReference } from './owner-reference.ts';

export interface ClaimPlan<T> {
  readonly owned: readonly T[];
  /** Match, and belong to nobody. */
  readonly adopt: readonly T[];
  /** Belong to the owner, and do not match any more. */
  readonly release: readonly T[];
}

/** Which of the candidates, all of the owner's namespace, an owner with this selector has, takes and gives up. */
export function planClaims<T extends Stored<KubeObject>>(
  owner: Stored<KubeObject>,
  query: LabelQuery,
  candidates: readonly T[],
): ClaimPlan<T> {
  const ownerIsLeaving = owner.metadata.deletionTimestamp !== undefined;
  const mine = candidates.filter((one) => controllerOf(one)?.uid === owner.metadata.uid);
  const matches = (one: T) => matchesLabels(query, one.metadata.labels);
  const isFree = (one: T) => !controllerOf(one) && one.metadata.deletionTimestamp === undefined;
  return {
    owned: mine.filter(matches),
    adopt: ownerIsLeaving ? [] : candidates.filter((one) => isFree(one) && matches(one)),
    release: ownerIsLeaving ? [] : mine.filter((one) => !matches(one)),
  };
}

export interface Claim<T extends KubeObject> {
  readonly owner: Stored<KubeObject>;
  readonly query: LabelQuery;
  readonly informer: Informer<T>;
  readonly candidates: readonly Stored<T>[];
  /** Asks the server itself, since a cache may not know yet that the owner is going. */
  readonly mayAdopt: () => Promise<boolean>;
}

/** Carries the plan out and gives back what the owner then has. */
export async function claim<T extends KubeObject>(wanted: Claim<T>): Promise<readonly Stored<T>[]> {
  const { owner, query, informer, candidates } = wanted;
  const { owned, adopt, release } = planClaims(owner, query, candidates);
  for (const object of release) await setOwners(informer, object, ownersWithout(object, owner));
  if (adopt.length === 0 || !(await wanted.mayAdopt())) return owned;
  const adopted: Stored<T>[] = [];
  for (const object of adopt) {
    const owners = [...(object.metadata.ownerReferences ?? []), forgeControllerReference(owner)];
    const updated = await setOwners(informer, object, owners);
    if (updated) adopted.push(updated);
  }
  return [...owned, ...adopted];
}

function ownersWithout(object: Stored<KubeObject>, owner: Stored<KubeObject>) {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.filter(({ uid }) => uid !== owner.metadata.uid);
}

/** Undefined when the object is gone meanwhile. */
async function setOwners<T extends KubeObject>(
  informer: Informer<T>,
  object: Stored<T>,
  ownerReferences: unknown,
): Promise<Stored<T> | undefined> {
  const { uid, resourceVersion } = object.metadata;
  const change = { metadata: { uid, resourceVersion, ownerReferences } } as unknown as Json;
  try {
    return await informer.patch(keyOf(object), mergePatch(change));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
