import type { CustomResourceDefinitionVersion } from 'kubernetes-types/apiextensions/v1.d.ts';
import { duplicate, invalid, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { parseSchemaPath, type SchemaPath, SchemaPathError } from '../schema-path.ts';
import { selectableFieldsOf } from '../selectable-fields.ts';
import { schemaOf } from '../version-schema.ts';

/** Fields that objects can be selected by are scalars of the schema, outside the metadata. */
export function validateSelectableFields(
  field: string,
  version: CustomResourceDefinitionVersion,
): FieldProblem[] {
  const schema = schemaOf(version) ?? {};
  const paths = selectableFieldsOf(version);
  return paths.flatMap((path, i) => {
    const place = `${field}[${i}].jsonPath`;
    if (!path) return [required(place)];
    const isRepeated = paths.indexOf(path) < i;
    const problems = validateField(place, schema, path);
    return isRepeated ? [...problems, duplicate(place, path)] : problems;
  });
}

function validateField(place: string, schema: TypeSchema, path: string): FieldProblem[] {
  const found = readPath(schema, path);
  if (typeof found === 'string') return [invalid(place, path, `is an invalid path: ${found}`)];
  const isScalar = ['string', 'boolean', 'integer'].includes(found.schema.type ?? '');
  const rule =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  return [
    ...(found.root === 'metadata'
      ? [invalid(place, path, 'must not point to fields in metadata')]
      : []),
    ...(isScalar ? [] : [invalid(place, path, rule)]),
  ];
}

/** The fault, when there is one. */
function readPath(schema: TypeSchema, path: string): SchemaPath | string {
  if (path.includes('[')) return 'array notation is not allowed';
  try {
    return parseSchemaPath(schema, path);
  } catch (error) {
    if (error instanceof SchemaPathError) return error.message;
    throw error;
  }
}
