import { formatQuantity } from './format-quantity.ts';
import { ownMember } from './json.ts';
import { parseQuantity, QuantityError } from './parse-quantity.ts';
import {
  addQuantities,
  compareQuantities,
  maxQuantity,
  type Quantity,
  quantityOf,
  subtractQuantities,
} from './quantity.ts';

/** Quantities by resource name, as in the `requests` of a container or the `allocatable` of a node. */
export type ResourceList = Readonly<Record<string, string | number>>;

/** The names of both; what one of them lacks counts as zero. */
export function addResources(a: ResourceList, b: ResourceList): Record<string, string> {
  return combine(a, b, addQuantities);
}

/** The names of both; what one of them lacks counts as zero, so the result may be negative. */
export function subtractResources(a: ResourceList, b: ResourceList): Record<string, string> {
  return combine(a, b, subtractQuantities);
}

/** The names of both, each with the larger amount. */
export function maxResources(a: ResourceList, b: ResourceList): Record<string, string> {
  return combine(a, b, maxQuantity);
}

/** Same amounts, however they are spelled. Zero is the same as not being there. */
export function equalResources(a: ResourceList, b: ResourceList): boolean {
  return namesOf(a, b).every((name) => compareQuantities(amount(a, name), amount(b, name)) === 0);
}

/**
 * What a resource that the available ones do not mention means: to a scheduler, that there is none of it; to a quota,
 * that it is not limited.
 */
export type Unmentioned = 'none' | 'unlimited';

export function fitsWithin(
  requested: ResourceList,
  available: ResourceList,
  unmentioned: Unmentioned,
): boolean {
  return missingResources(requested, available, unmentioned).length === 0;
}

/** The names, in order, of which more is requested than available. Who requests nothing of a resource fits always. */
export function missingResources(
  requested: ResourceList,
  available: ResourceList,
  unmentioned: Unmentioned,
): string[] {
  return namesOf(requested).filter((name) => {
    if (unmentioned === 'unlimited' && !Object.hasOwn(available, name)) return false;
    const wanted = amount(requested, name);
    return wanted.mantissa > 0n && compareQuantities(wanted, amount(available, name)) > 0;
  });
}

function combine(
  a: ResourceList,
  b: ResourceList,
  operation: (a: Quantity, b: Quantity) => Quantity,
): Record<string, string> {
  const amounts = namesOf(a, b).map((name) => {
    const result = operation(amount(a, name), amount(b, name));
    return [name, formatQuantity(result)] as const;
  });
  return Object.fromEntries(amounts);
}

function namesOf(...lists: readonly ResourceList[]): string[] {
  return [...new Set(lists.flatMap(Object.keys))].sort();
}

function amount(list: ResourceList, name: string): Quantity {
  const written = ownMember(list, name);
  if (written === undefined) return quantityOf(0);
  try {
    return parseQuantity(written);
  } catch (error) {
    throw new QuantityError(`Cannot read resource "${name}": "${written}" is not a quantity`, {
      cause: error,
    });
  }
}
