import { ApiError } from '@liqo/kube';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import { compareText, type Manager } from './managers.ts';

/** What somebody else owns of what an apply would change. */
export interface Conflict {
  readonly with: Manager;
  readonly fields: FieldSet;
}

/** The refusal of an apply, one cause for each field of each manager. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const told = conflicts
    .map((conflict) => ({ name: printManager(conflict.with), paths: pathsOf(conflict.fields) }))
    .sort((a, b) => compareText(a.name, b.name));
  const causes = told.flatMap(({ name, paths }) => paths.map((path) => causeOf(name, path)));
  return new ApiError({
    status: 'Failure',
    code: 409,
    reason: 'Conflict',
    message: messageOf(told, causes.length),
    details: { causes },
  });
}

function causeOf(name: string, field: string): StatusCause {
  return { reason: 'FieldManagerConflict', message: `conflict with ${name}`, field };
}

function messageOf(told: readonly { name: string; paths: string[] }[], count: number): string {
  const [first] = told;
  if (count === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${first.name}: ${first.paths[0]}`;
  }
  const lines = told.flatMap(({ name, paths }) => [
    `conflicts with ${name}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = JSON.stringify(manager);
  const qualified = subresource ? `${name} with subresource ${JSON.stringify(subresource)}` : name;
  return operation === 'Update' ? `${qualified} using ${apiVersion}` : qualified;
}
