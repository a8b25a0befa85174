import { type FieldProblem, invalid } from '../validation/field-problem.ts';
import { nonNegative } from '../validation/numbers.ts';

/** Numbers in a status: none is negative, and parts are not more than the whole. */
export function validateCounts(
  status: object | undefined,
  fields: readonly string[],
): FieldProblem[] {
  return fields.flatMap((field) => nonNegative(`status.${field}`, numberAt(status, field)));
}

export function notMoreThanReplicas(
  status: object | undefined,
  fields: readonly string[],
  readyName = 'readyReplicas',
): FieldProblem[] {
  const count = (field: string) => numberAt(status, field) ?? 0;
  const problems = fields
    .filter((field) => count(field) > count('replicas'))
    .map((field) => {
      return invalid(`status.${field}`, count(field), 'cannot be greater than status.replicas');
    });
  if (count('availableReplicas') <= count('readyReplicas')) return problems;
  const rule = `cannot be greater than ${readyName}`;
  return [...problems, invalid('status.availableReplicas', count('availableReplicas'), rule)];
}

function numberAt(counts: object | undefined, field: string): number | undefined {
  const value = (counts as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'number' ? value : undefined;
}
