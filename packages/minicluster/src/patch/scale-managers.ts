import type { KubeObject } from '@liqo/kube';
import { difference, type FieldSet, fieldSetOf, intersection, isEmptySet } from './field-set.ts';
import {
  identityOf,
  type Manager,
  type Managers,
  mapFields,
  parseManagers,
  withManagers,
} from './managers.ts';

/** A write to the scale subresource. */
export interface Scaling {
  readonly manager: string;
  /** Of the object, not of its Scale. */
  readonly apiVersion: string;
  /** Where the object keeps the number of replicas. */
  readonly path: readonly string[];
  readonly before: number;
  readonly after: number;
}

const scaleVersion = 'autoscaling/v1';

/**
 * `object` with the managedFields that a scaling leaves. The server keeps the books in the Scale, whose managers are
 * those of the number of replicas, and then carries them over to the object. Seen from the object this means:
 *
 * - While nobody manages the number, whoever scales does not come to manage it either.
 * - A Scale of none has no number, so that scaling to none takes it from everybody.
 * - Appliers who keep the number stay as they are. All others who have it get an entry for it alone, which has no time.
 */
export function recordScaling(object: KubeObject, scaling: Scaling): KubeObject {
  const managers = parseManagers(object.metadata?.managedFields);
  const number = fieldSetOf([scaling.path]);
  const owners = [...managers.values()].filter(({ fields }) => owns(fields, number));
  if (owners.length === 0) return object;
  const owning = new Map(
    ownersAfter(owners, scaling).map((owner) => [identityInScale(owner), owner]),
  );
  return withManagers(object, carryOver(managers, owning, number));
}

type Owner = Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

function ownersAfter(owners: readonly Owner[], scaling: Scaling): readonly Owner[] {
  const { manager, apiVersion, before, after } = scaling;
  if (before === after) return owners;
  return after === 0 ? [] : [{ manager, operation: 'Update', apiVersion, subresource: 'scale' }];
}

function carryOver(
  managers: Managers,
  owning: ReadonlyMap<string, Owner>,
  number: FieldSet,
): Managers {
  const carried = mapFields(managers, (fields, identity) =>
    owning.has(identity) ? fields : difference(fields, number),
  );
  for (const [identity, { manager, operation, apiVersion, subresource }] of owning) {
    if (carried.has(identity)) continue;
    const entry = { manager, operation, apiVersion, subresource, time: undefined };
    carried.set(identity, { ...entry, fields: number });
  }
  return carried;
}

/** In another version, whoever updates is somebody else. */
function identityInScale(owner: Owner): string {
  return identityOf({ ...owner, apiVersion: scaleVersion });
}

function owns(fields: FieldSet, number: FieldSet): boolean {
  return !isEmptySet(intersection(fields, number));
}
