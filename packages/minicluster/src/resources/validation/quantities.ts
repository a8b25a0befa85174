import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityValue,
} from '@liqo/kube';
import { type FieldProblem, invalid } from './field-problem.ts';
import { isCounted } from './resource-names.ts';

const zero = parseQuantity('0');

/** What has been decoded is a quantity. */
export function readQuantity(value: string | number | undefined): Quantity {
  return value === undefined ? zero : parseQuantity(value);
}

export function quantityText(value: string | number | undefined): string {
  return formatQuantity(readQuantity(value));
}

export function isMore(a: string | number, b: string | number): boolean {
  return compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
}

export function isNegative(value: string | number): boolean {
  return compareQuantities(parseQuantity(value), zero) < 0;
}

export function basicQuantity(field: string, value: string): FieldProblem[] {
  if (!isNegative(value)) return [];
  const units = Number(quantityValue(parseQuantity(value)));
  return [invalid(field, units, 'must be a valid resource quantity')];
}

export function positiveQuantity(field: string, value: string): FieldProblem[] {
  if (compareQuantities(parseQuantity(value), zero) > 0) return [];
  return [invalid(field, quantityText(value), 'must be greater than zero')];
}

/** An amount of a resource: not negative, and whole for things that are counted. */
export function resourceQuantity(resource: string, field: string, value: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (isNegative(value)) {
    problems.push(invalid(field, quantityText(value), 'must be greater than or equal to 0'));
  }
  if (isCounted(resource) && !isWhole(value)) {
    problems.push(invalid(field, quantityText(value), 'must be an integer'));
  }
  return problems;
}

function isWhole(value: string): boolean {
  const { mantissa, scale } = parseQuantity(value);
  return scale >= 0 || mantissa % 10n ** BigInt(-scale) === 0n;
}
