import { deepEqual } from '@liqo/kube';
import { forbidden, invalid, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { keyPath } from '../field-path.ts';
import { compilePattern } from '../pattern.ts';

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Schemas below allOf, anyOf, oneOf and not: they restrict values whose types are told elsewhere. */
export const validateNested = { junctors, completeness };

function junctors(field: string, schema: TypeSchema): FieldProblem[] {
  return junctorsExcept(field, schema, deepEqual(schema.anyOf, intOrString), schema);
}

/** The two ways to write int-or-string out are the only nested types allowed. */
function junctorsExcept(
  field: string,
  schema: TypeSchema,
  skipsAnyOf: boolean,
  top?: TypeSchema,
): FieldProblem[] {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  const isAllOfPattern = top !== undefined && deepEqual(allOf[0]?.anyOf, intOrString);
  return [
    ...(skipsAnyOf ? [] : anyOf.flatMap((one, i) => nested(`${field}.anyOf[${i}]`, one, false))),
    ...allOf.flatMap((one, i) => nested(`${field}.allOf[${i}]`, one, isAllOfPattern && i === 0)),
    ...oneOf.flatMap((one, i) => nested(`${field}.oneOf[${i}]`, one, false)),
    ...(not ? nested(`${field}.not`, not, false) : []),
    ...patternProblems(field, schema),
  ];
}

function patternProblems(field: string, { pattern }: TypeSchema): FieldProblem[] {
  if (!pattern) return [];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    const rule = `must be a valid regular expression, but isn't: ${goFault(pattern, error)}`;
    return [invalid(`${field}.pattern`, pattern, rule)];
  }
}

function goFault(pattern: string, error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const fault = /Unterminated group/.test(said) ? 'missing closing )' : 'invalid expression';
  return `error parsing regexp: ${fault}: \`${pattern}\``;
}

const empty = 'must be empty to be structural';
const undefinedRule = 'must be undefined to be structural';
const falseRule = 'must be false to be structural';

const forbiddenWords: readonly (readonly [string, string])[] = [
  ['type', empty],
  ['additionalProperties', undefinedRule],
  ['default', undefinedRule],
  ['title', empty],
  ['description', empty],
  ['nullable', falseRule],
  ['x-kubernetes-preserve-unknown-fields', falseRule],
  ['x-kubernetes-embedded-resource', falseRule],
  ['x-kubernetes-int-or-string', falseRule],
  ['x-kubernetes-list-map-keys', empty],
  ['x-kubernetes-list-type', undefinedRule],
  ['x-kubernetes-map-type', undefinedRule],
  ['x-kubernetes-validations', empty],
];

function nested(field: string, schema: TypeSchema, skipsAnyOf: boolean): FieldProblem[] {
  const words: Readonly<Record<string, unknown>> = { ...schema };
  const { items, properties = {} } = schema;
  const metadata = keyPath(`${field}.properties`, 'metadata');
  return [
    ...junctorsExcept(field, schema, skipsAnyOf),
    ...(items ? nested(`${field}.items`, items, false) : []),
    ...Object.entries(properties).flatMap(([name, node]) =>
      nested(keyPath(`${field}.properties`, name), node, false),
    ),
    ...forbiddenWords
      .filter(([word]) => words[word] !== undefined && words[word] !== false && words[word] !== '')
      .map(([word, rule]) => forbidden(`${field}.${word}`, rule)),
    ...(properties.metadata
      ? [forbidden(metadata, 'must not be specified in a nested context')]
      : []),
  ];
}

/** What is restricted at the root must be specified there. */
function completeness(field: string, schema: TypeSchema): FieldProblem[] {
  return incomplete({ field, schema }, { field, schema });
}

interface Place {
  readonly field: string;
  readonly schema: TypeSchema;
}

function incomplete(specified: Place, restricted: Place): FieldProblem[] {
  const { anyOf = [], allOf = [], oneOf = [], not } = restricted.schema;
  const below = (word: string, schemas: readonly TypeSchema[]) =>
    schemas.map((schema, i) => ({ field: `${restricted.field}.${word}[${i}]`, schema }));
  const places = [
    ...(not ? [{ field: `${restricted.field}.not`, schema: not }] : []),
    ...below('allOf', allOf),
    ...below('anyOf', anyOf),
    ...below('oneOf', oneOf),
  ];
  return places.flatMap((place) => [
    ...incomplete(specified, place),
    ...unspecifiedMembers(specified, place),
  ]);
}

function unspecifiedMembers(specified: Place, restricted: Place): FieldProblem[] {
  const { properties = {}, items } = restricted.schema;
  const members = Object.entries(properties).flatMap(([name, node]) => {
    const [place, cause] = [specified, restricted].map((one) =>
      keyPath(`${one.field}.properties`, name),
    ) as [string, string];
    const schema = propertyOf(specified.schema, name);
    if (!schema) return [required(place, `because it is defined in ${cause}`)];
    return deeper({ field: place, schema }, { field: cause, schema: node });
  });
  if (!items) return members;
  const [place, cause] = [`${specified.field}.items`, `${restricted.field}.items`];
  const schema = specified.schema.items;
  if (!schema) return [...members, required(place, `because it is defined in ${cause}`)];
  return [...members, ...deeper({ field: place, schema }, { field: cause, schema: items })];
}

function deeper(specified: Place, restricted: Place): FieldProblem[] {
  return [...incomplete(specified, restricted), ...unspecifiedMembers(specified, restricted)];
}
