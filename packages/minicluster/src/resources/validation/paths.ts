import { type FieldProblem, invalid } from './field-problem.ts';

/** A path that stays below where it starts. */
export function descendingPath(field: string, path: string): FieldProblem[] {
  const absolute = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : [];
  return [...absolute, ...noBacksteps(field, path)];
}

export function noBacksteps(field: string, path: string): FieldProblem[] {
  if (!path.split('/').includes('..')) return [];
  return [invalid(field, path, "must not contain '..'")];
}

/** Names that start with two dots belong to whoever writes the files. */
export function unreservedPath(field: string, path: string): FieldProblem[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  const reserved = isReserved ? [invalid(field, path, "must not start with '..'")] : [];
  return [...descendingPath(field, path), ...reserved];
}
