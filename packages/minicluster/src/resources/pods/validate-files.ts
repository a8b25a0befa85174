import type { DownwardAPIVolumeFile, KeyToPath } from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, invalid, required } from '../validation/field-problem.ts';
import { unreservedPath } from '../validation/paths.ts';
import { validateFieldRef, validateResourceRef, volumeFieldPaths } from './validate-downward.ts';

export function validateKeyToPath(field: string, { key, path, mode }: KeyToPath): FieldProblem[] {
  return [
    ...(key ? [] : [required(`${field}.key`)]),
    ...(path ? [] : [required(`${field}.path`)]),
    ...unreservedPath(`${field}.path`, path ?? ''),
    ...validateMode(`${field}.mode`, mode),
  ];
}

export function validateMode(field: string, mode: number | undefined): FieldProblem[] {
  const isFine = mode === undefined || (mode >= 0 && mode <= 0o777);
  const rule = 'must be a number between 0 and 0777 (octal), both inclusive';
  return isFine ? [] : [invalid(field, mode, rule)];
}

/** The server forgets to say which of the files it is. */
export function validateDownwardFile(field: string, file: DownwardAPIVolumeFile): FieldProblem[] {
  const { path, fieldRef, resourceFieldRef, mode } = file;
  return [
    ...(path ? [] : [required(`${field}.path`)]),
    ...unreservedPath(`${field}.path`, path ?? ''),
    ...validateContent(field, fieldRef, resourceFieldRef),
    ...validateMode(`${field}.mode`, mode),
  ];
}

function validateContent(
  field: string,
  fieldRef: DownwardAPIVolumeFile['fieldRef'],
  resourceRef: DownwardAPIVolumeFile['resourceFieldRef'],
): FieldProblem[] {
  if (!fieldRef && !resourceRef) {
    return [required(field, 'one of fieldRef and resourceFieldRef is required')];
  }
  if (!fieldRef) {
    return resourceRef
      ? validateResourceRef(`${field}.resourceFieldRef`, resourceRef, { inVolume: true })
      : [];
  }
  const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
  return [
    ...validateFieldRef(`${field}.fieldRef`, fieldRef, volumeFieldPaths),
    ...(resourceRef ? [invalid(field, 'resource', both)] : []),
  ];
}
