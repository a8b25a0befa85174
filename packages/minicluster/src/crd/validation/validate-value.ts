import { deepEqual, isJsonObject } from '@liqo/kube';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { checkAlternatives } from './check-alternatives.ts';
import { checkFormat, checkNumber, checkString } from './check-scalar.ts';
import { checkType, knownFormatOf } from './check-type.ts';
import type { Correlation } from './correlation.ts';
import { type Outcome, OutcomeBuilder } from './outcome.ts';
import { invalidValue, missing, notListed, tooMany, type ValueProblem } from './value-problem.ts';

/**
 * Checks a value against a schema as the API server does. `name` is where the value is, `before` what was there before
 * an update: faults of a value that has not changed are forgiven.
 */
export function validateValue(
  schema: TypeSchema,
  value: unknown,
  name: string,
  before?: Correlation,
): Outcome {
  const outcome = checkValue(schema, value, name, before);
  if (outcome.problems.length === 0 || !before?.isUnchanged) return outcome;
  return { ...outcome, problems: [] };
}

/** As `validateValue`, but of this value itself nothing is forgiven: what several schemas say of one value. */
function checkValue(
  schema: TypeSchema,
  value: unknown,
  name: string,
  before: Correlation | undefined,
): Outcome {
  const outcome = new OutcomeBuilder();
  const type = checkType(schema, value, name);
  if (type !== undefined) outcome.add(type === 'fits' ? [] : [type], type === 'fits' ? 2 : 1);
  if (value === null) return outcome.add(checkEnum(schema, value, name)).build();
  const alternatives = checkAlternatives(schema, name, (alternative) =>
    checkValue(alternative, value, name, before),
  );
  outcome.merge(alternatives);
  addScalarChecks(outcome, schema, value, name);
  if (Array.isArray(value)) outcome.merge(checkList(schema, value, name, before));
  outcome.add(checkEnum(schema, value, name));
  if (isJsonObject(value)) outcome.merge(checkObject(schema, value, name, before));
  return outcome.add([]).build();
}

function addScalarChecks(
  outcome: OutcomeBuilder,
  schema: TypeSchema,
  value: unknown,
  name: string,
): void {
  if (typeof value === 'number') outcome.add(checkNumber(schema, value, name), 2);
  if (typeof value !== 'string') return;
  outcome.add(checkString(schema, value, name));
  if (knownFormatOf(schema) !== '') outcome.add(checkFormat(schema, value, name));
}

function checkEnum({ enum: listed }: TypeSchema, value: unknown, name: string): ValueProblem[] {
  if (!listed || listed.length === 0 || listed.some((one) => deepEqual(one, value))) return [];
  return [notListed(name, value, listed)];
}

function checkList(
  schema: TypeSchema,
  list: readonly unknown[],
  name: string,
  before: Correlation | undefined,
): Outcome {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const outcome = new OutcomeBuilder();
  for (const [index, item] of list.entries()) {
    if (!items) break;
    outcome.merge(validateValue(items, item, `${name}[${index}]`, before?.index(index)), 0);
  }
  const count = list.length;
  if (count < minItems) outcome.add([tooFew(name, count, `${minItems} items`)], 0);
  if (count > maxItems) outcome.add([tooMany(name, count, maxItems)], 0);
  return outcome.add([]).build();
}

function checkObject(
  schema: TypeSchema,
  object: Readonly<Record<string, unknown>>,
  name: string,
  before: Correlation | undefined,
): Outcome {
  const outcome = new OutcomeBuilder();
  outcome.add(checkSize(schema, object, name), 0);
  for (const [key, member] of Object.entries(object)) {
    const property = propertyOf(schema, key);
    const type = property ?? otherMembers(schema);
    if (!type) continue;
    const path = property && name === '' ? key : `${name}.${key}`;
    const isFixed = name === '' && (key === 'kind' || key === 'apiVersion');
    outcome.merge(validateValue(type, member, path, isFixed ? undefined : before?.key(key)), 0);
  }
  const absent = (schema.required ?? []).filter((key) => !Object.hasOwn(object, key));
  outcome.add(
    absent.map((key) => missing(`${name}.${key}`)),
    0,
  );
  return outcome.build();
}

function checkSize(schema: TypeSchema, object: object, name: string): ValueProblem[] {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const count = Object.keys(object).length;
  if (count < minProperties) return [tooFew(name, count, `${minProperties} properties`)];
  return count > maxProperties ? [tooMany(name, count, maxProperties)] : [];
}

function tooFew(name: string, count: number, least: string): ValueProblem {
  return invalidValue(name, String(count), `should have at least ${least}`);
}

function otherMembers({ additionalProperties }: TypeSchema): TypeSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
