import type { CustomResourceColumnDefinition } from 'kubernetes-types/apiextensions/v1.d.ts';
import { invalid, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateColumns(
  field: string,
  columns: readonly CustomResourceColumnDefinition[],
): FieldProblem[] {
  return columns.flatMap((column, i) => validateColumn(`${field}[${i}]`, column));
}

function validateColumn(field: string, column: CustomResourceColumnDefinition): FieldProblem[] {
  const { name, type, format, jsonPath } = column;
  const typeRule = `must be one of ${types.join(',')}`;
  const formatRule = `must be one of ${formats.join(',')}`;
  const isKnownType = types.includes(type);
  return [
    ...(name ? [] : [required(`${field}.name`)]),
    ...(type ? [] : [required(`${field}.type`, typeRule)]),
    ...(type && !isKnownType ? [invalid(`${field}.type`, type, typeRule)] : []),
    ...(format && !formats.includes(format)
      ? [invalid(`${field}.format`, format, formatRule)]
      : []),
    ...(jsonPath
      ? validateSimplePath(`${field}.JSONPath`, jsonPath)
      : [required(`${field}.JSONPath`)]),
  ];
}

export function validateSimplePath(field: string, path: string): FieldProblem[] {
  if (path.startsWith('.')) return [];
  return [invalid(field, path, 'must be a simple json path starting with .')];
}
