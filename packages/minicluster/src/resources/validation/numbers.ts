import { type FieldProblem, invalid, invalidFor } from './field-problem.ts';
import { percentFaults, portNameFaults } from './names.ts';

export function nonNegative(field: string, value: number | undefined): FieldProblem[] {
  const isFine = value === undefined || value >= 0;
  return isFine ? [] : [invalid(field, value, 'must be greater than or equal to 0')];
}

export function portNumber(field: string, value: number): FieldProblem[] {
  return inRange(field, value, 1, 65535);
}

export function inRange(field: string, value: number, low: number, high: number): FieldProblem[] {
  const isFine = low <= value && value <= high;
  return isFine ? [] : [invalid(field, value, `must be between ${low} and ${high}, inclusive`)];
}

/** The number of a port, or the name of one. */
export function portNumberOrName(field: string, value: number | string): FieldProblem[] {
  if (typeof value === 'number') return portNumber(field, value);
  return invalidFor(field, value, portNameFaults(value));
}

/** User and group IDs. */
export function systemId(field: string, value: number | undefined): FieldProblem[] {
  return value === undefined ? [] : inRange(field, value, 0, 2 ** 31 - 1);
}

export function countOrPercent(field: string, value: number | string): FieldProblem[] {
  if (typeof value === 'number') return nonNegative(field, value);
  return invalidFor(field, value, percentFaults(value));
}

export function notAbove100Percent(field: string, value: number | string): FieldProblem[] {
  const percent = typeof value === 'string' ? percentOf(value) : undefined;
  if (percent === undefined || percent <= 100) return [];
  return [invalid(field, value, 'must not be greater than 100%')];
}

/** The number before a percent sign counts as well as a plain one; nonsense counts as nothing. */
export function amountOf(value: number | string): number {
  return typeof value === 'number' ? value : (percentOf(value) ?? 0);
}

function percentOf(value: string): number | undefined {
  return percentFaults(value).length === 0 ? Number(value.slice(0, -1)) : undefined;
}
