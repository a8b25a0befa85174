import {
  addQuantities,
  compareQuantities,
  isZeroQuantity,
  parseQuantity,
  type Quantity,
  type ResourceList,
  subtractQuantities,
} from '@liqo/kube';

/** Exact quantities by resource name, read once. No resource of the amount zero is in it. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const noAmounts: Amounts = new Map();

/** Throws a `QuantityError` for what is not a quantity. */
export function readAmounts(list: ResourceList): Amounts {
  const amounts = Object.entries(list).map(([name, text]) => [name, parseQuantity(text)] as const);
  return new Map(amounts.filter(([, amount]) => !isZeroQuantity(amount)));
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, addQuantities);
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, subtractQuantities);
}

/** The resources, in order, of which there is more in the first than in the second. */
export function namesAbove(a: Amounts, b: Amounts): string[] {
  const names = [...a.keys()].filter((name) => isAbove(a.get(name), b.get(name)));
  return names.sort();
}

function isAbove(one: Quantity | undefined, other: Quantity | undefined): boolean {
  return one !== undefined && (other === undefined || compareQuantities(one, other) > 0);
}

function combine(
  a: Amounts,
  b: Amounts,
  operation: (one: Quantity, other: Quantity) => Quantity,
): Amounts {
  const result = new Map(a);
  for (const name of b.keys()) {
    const amount = operation(a.get(name) ?? zero, b.get(name) ?? zero);
    if (isZeroQuantity(amount)) result.delete(name);
    else result.set(name, amount);
  }
  return result;
}

const zero: Quantity = parseQuantity('0');
