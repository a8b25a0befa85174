import { isJsonObject, type KubeObject } from '@liqo/kube';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { invalid, required } from '../../resources/validation/field-problem.ts';
import { validateAnnotations, validateLabels } from '../../resources/validation/labels.ts';
import { pathSegmentFaults, rfc1035LabelFaults } from '../../resources/validation/names.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { childPath, keyPath } from '../field-path.ts';

/** Objects inside the object (`x-kubernetes-embedded-resource`) have a kind, a version, and sound metadata. */
export function validateEmbedded(schema: TypeSchema, value: unknown, path = ''): FieldProblem[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return [];
    return value.flatMap((item, index) => validateEmbedded(items, item, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? validateResource(value, path) : [];
  return [...own, ...validateMembers(schema, value, path)];
}

function validateMembers(
  schema: TypeSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): FieldProblem[] {
  const { additionalProperties: others } = schema;
  return Object.entries(value).flatMap(([key, member]) => {
    const property = propertyOf(schema, key);
    if (property) return validateEmbedded(property, member, childPath(path, key));
    return typeof others === 'object' ? validateEmbedded(others, member, keyPath(path, key)) : [];
  });
}

function validateResource(value: KubeObject, path: string): FieldProblem[] {
  const { apiVersion, kind, metadata } = value;
  return [
    ...(apiVersion === undefined ? [required(`${path}.apiVersion`)] : []),
    ...(kind === undefined ? [required(`${path}.kind`)] : []),
    ...(apiVersion === undefined ? [] : apiVersionProblems(`${path}.apiVersion`, apiVersion)),
    ...(kind === undefined ? [] : kindProblems(`${path}.kind`, kind)),
    ...(isJsonObject(metadata) ? metadataProblems(`${path}.metadata`, metadata) : []),
  ];
}

function apiVersionProblems(field: string, apiVersion: string): FieldProblem[] {
  if (apiVersion === '') return [invalid(field, '', 'must not be empty')];
  if (apiVersion.split('/').length <= 2) return [];
  return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

function kindProblems(field: string, kind: string): FieldProblem[] {
  if (kind === '') return [invalid(field, '', 'must not be empty')];
  const faults = rfc1035LabelFaults(kind.toLowerCase());
  if (faults.length === 0) return [];
  const rule = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [invalid(field, kind, rule)];
}

function metadataProblems(field: string, metadata: ObjectMeta): FieldProblem[] {
  const { name, labels, annotations } = metadata;
  const faults = name ? pathSegmentFaults(name) : [];
  return [
    ...faults.map((fault) => invalid(`${field}.name`, name, fault)),
    ...validateLabels(`${field}.labels`, labels),
    ...validateAnnotations(`${field}.annotations`, annotations),
  ];
}
