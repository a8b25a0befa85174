import { deepEqual } from '@liqo/kube';
import { type FieldProblem, forbidden, invalid } from './field-problem.ts';

export function unchanged(field: string, next: unknown, previous: unknown): FieldProblem[] {
  return deepEqual(next, previous) ? [] : [invalid(field, next, 'field is immutable')];
}

/** For objects that ask to be left alone by `immutable: true`. */
export function unchangedWhenImmutable(
  field: string,
  next: unknown,
  previous: unknown,
): FieldProblem[] {
  if (deepEqual(next, previous)) return [];
  return [forbidden(field, 'field is immutable when `immutable` is set')];
}
