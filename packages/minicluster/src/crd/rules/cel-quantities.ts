import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '@liqo/kube';
import type { Environment } from '@marcbachmann/cel-js';
import { celFault } from './cel-fault.ts';

class CelQuantity {
  readonly amount: Quantity;

  constructor(amount: Quantity) {
    this.amount = amount;
  }
}

const type = 'kubernetes.Quantity';

/** `quantity('1Gi')` and what can be asked of it. */
export function registerQuantities(environment: Environment): void {
  const compare = (a: CelQuantity, b: CelQuantity) => compareQuantities(a.amount, b.amount);
  environment
    .registerType(type, { ctor: CelQuantity })
    .registerOperator(`${type} == ${type}`, (a, b) => compare(a, b) === 0)
    .registerFunction(`quantity(string): ${type}`, readQuantity)
    .registerFunction('isQuantity(string): bool', isQuantity)
    .registerFunction(`${type}.compareTo(${type}): int`, (a, b) => BigInt(compare(a, b)))
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a, b) => compare(a, b) < 0)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a, b) => compare(a, b) > 0)
    .registerFunction(`${type}.isInteger(): bool`, ({ amount }) => isWhole(amount))
    .registerFunction(`${type}.asInteger(): int`, asInteger)
    .registerFunction(`${type}.asApproximateFloat(): double`, approximate);
  registerSums(environment);
}

function registerSums(environment: Environment): void {
  const add = (a: CelQuantity, b: Quantity) => new CelQuantity(addQuantities(a.amount, b));
  const subtract = (a: CelQuantity, b: Quantity) =>
    new CelQuantity(subtractQuantities(a.amount, b));
  environment
    .registerFunction(`${type}.add(${type}): ${type}`, (a, { amount }) => add(a, amount))
    .registerFunction(`${type}.add(int): ${type}`, (a, count) => add(a, whole(count)))
    .registerFunction(`${type}.sub(${type}): ${type}`, (a, { amount }) => subtract(a, amount))
    .registerFunction(`${type}.sub(int): ${type}`, (a, count) => subtract(a, whole(count)));
}

function readQuantity(text: string): CelQuantity {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw celFault(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
}

function isQuantity(text: string): boolean {
  try {
    return parseQuantity(text) !== undefined;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function whole(count: bigint): Quantity {
  return parseQuantity(String(count));
}

function isWhole(amount: Quantity): boolean {
  return compareQuantities(whole(quantityValue(amount)), amount) === 0;
}

function asInteger({ amount }: CelQuantity): bigint {
  if (isWhole(amount)) return quantityValue(amount);
  throw celFault('cannot convert value to integer');
}

function approximate({ amount }: CelQuantity): number {
  return Number(quantityMilliValue(amount)) / 1000;
}
