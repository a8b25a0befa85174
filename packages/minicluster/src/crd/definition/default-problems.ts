import { deepEqual } from '@liqo/kube';
import { ParseError } from '@marcbachmann/cel-js';
import { invalid } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { customSchemas } from '../../schema/custom-schemas.ts';
import { prune } from '../../schema/prune.ts';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { keyPath } from '../field-path.ts';
import { compileRules, type RuleTree } from '../rules/compile-rules.ts';
import { validateRules } from '../rules/validate-rules.ts';
import { validateEmbedded } from '../validation/validate-embedded.ts';
import { validateValue } from '../validation/validate-value.ts';
import { placeProblems } from '../validation/value-problem.ts';

/** Every default is a value that its own schema takes. */
export function validateDefaults(field: string, schema: TypeSchema): FieldProblem[] {
  const { items, properties = {}, additionalProperties: others } = schema;
  return [
    ...(schema.default === undefined ? [] : validateDefault(`${field}.default`, schema)),
    ...(items ? validateDefaults(`${field}.items`, items) : []),
    ...Object.entries(properties).flatMap(([name, node]) =>
      validateDefaults(keyPath(`${field}.properties`, name), node),
    ),
    ...(typeof others === 'object'
      ? validateDefaults(`${field}.additionalProperties`, others)
      : []),
  ];
}

function validateDefault(field: string, schema: TypeSchema): FieldProblem[] {
  const value = schema.default;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const known = isEmbedded ? customSchemas(schema).schema : schema;
  const pruned = prune(known, value, (metadata) => metadata).value;
  const unknown = deepEqual(pruned, value)
    ? []
    : [invalid(field, value, 'must not have unknown fields')];
  const faults = [
    ...validateEmbedded(schema, value, field),
    ...placeProblems(validateValue(schema, value, '').problems, field),
  ];
  return [...unknown, ...(faults.length > 0 ? faults : brokenRules(field, schema, isEmbedded))];
}

function brokenRules(field: string, schema: TypeSchema, isEmbedded: boolean): FieldProblem[] {
  const rules = readableRules(schema, isEmbedded);
  if (!rules) return [];
  const subject = { path: field, value: schema.default, correlation: undefined, isForgiven: false };
  const unchanged = validateRules(rules, { ...subject, old: schema.default });
  return unchanged.length > 0 ? unchanged : validateRules(rules, { ...subject, old: undefined });
}

/** Rules that cannot be read are refused for themselves. */
function readableRules(schema: TypeSchema, isEmbedded: boolean): RuleTree | undefined {
  try {
    return compileRules(schema, isEmbedded);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
