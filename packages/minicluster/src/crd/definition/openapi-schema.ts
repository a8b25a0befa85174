import {
  forbidden,
  invalid,
  notSupported,
  oneOf,
  required,
} from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { keyPath } from '../field-path.ts';
import { validateListMap } from './list-map-schema.ts';
import { validateRuleTexts } from './rule-texts.ts';

/** What the place of a node in the whole schema forbids. */
interface Surroundings {
  readonly isRoot: boolean;
  /** Why there can be no default; empty when there can. */
  readonly noDefaults: string;
  /** The list whose items have no past to compare with; empty when there is none. */
  readonly uncorrelated: string;
  /** Rules are read only when the whole schema is sound. */
  readonly checksRules: boolean;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupportedWords = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];
const metaFields = ['metadata', 'kind', 'apiVersion'];

/** The words of a schema that mean something to Kubernetes, and how they may be combined. */
export function validateOpenApiSchema(
  field: string,
  schema: TypeSchema,
  checksRules: boolean,
): FieldProblem[] {
  const surroundings = { isRoot: true, noDefaults: '', uncorrelated: '', checksRules };
  return validateNode(field, schema, surroundings);
}

/** Whether there is nothing in it that Kubernetes has no meaning for: of such a schema nothing else can be said. */
export function isReadable(schema: TypeSchema): boolean {
  const words: Readonly<Record<string, unknown>> = { ...schema };
  if (unsupportedWords.some((word) => words[word] !== undefined)) return false;
  if (Array.isArray(schema.items)) return false;
  const { items, properties = {}, additionalProperties: others, anyOf = [], allOf = [] } = schema;
  const below = [...Object.values(properties), ...anyOf, ...allOf, ...(schema.oneOf ?? [])];
  const single = [items, schema.not, typeof others === 'object' ? others : undefined];
  return [...below, ...single].every((node) => node === undefined || isReadable(node));
}

function validateNode(field: string, schema: TypeSchema, around: Surroundings): FieldProblem[] {
  const below = { ...around, isRoot: false };
  const inJunctor = { ...below, checksRules: false };
  const { anyOf = [], allOf = [], oneOf: one = [], not } = schema;
  const junctors = { anyOf, allOf, oneOf: one };
  return [
    ...validateWords(field, schema, around),
    ...validateMembers(field, schema, around),
    ...(not ? validateNode(`${field}.not`, not, inJunctor) : []),
    ...Object.entries(junctors).flatMap(([word, schemas]) =>
      schemas.flatMap((node, i) => validateNode(`${field}.${word}[${i}]`, node, inJunctor)),
    ),
    ...validateItems(field, schema, below),
    ...validateMapType(field, schema),
    ...validateListType(field, schema),
    ...validateListMap(field, schema),
    ...validateRuleTexts(field, schema, around),
  ];
}

function validateWords(field: string, schema: TypeSchema, around: Surroundings): FieldProblem[] {
  const words: Readonly<Record<string, unknown>> = { ...schema };
  const { type } = schema;
  const isUnknown = type !== undefined && type !== '' && !types.includes(type);
  const unique = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
  const preserve = 'x-kubernetes-preserve-unknown-fields';
  return [
    ...(isUnknown ? [notSupported(`${field}.type`, type, types)] : []),
    ...(schema.default !== undefined && around.noDefaults
      ? [forbidden(`${field}.default`, `must not be set ${around.noDefaults}`)]
      : []),
    ...unsupportedWords
      .filter((word) => words[word] !== undefined)
      .map((word) => forbidden(`${field}.${word}`, `${word} is not supported`)),
    ...(schema.uniqueItems ? [forbidden(`${field}.uniqueItems`, unique)] : []),
    ...(schema[preserve] === false
      ? [invalid(`${field}.${preserve}`, false, 'must be true or undefined')]
      : []),
  ];
}

function validateMembers(field: string, schema: TypeSchema, around: Surroundings): FieldProblem[] {
  const { properties = {}, additionalProperties: others } = schema;
  const isEmpty = Object.keys(properties).length === 0;
  const exclusive = 'additionalProperties and properties are mutual exclusive';
  const isBoth = !isEmpty && others !== undefined && others !== true;
  return [
    ...(isBoth ? [forbidden(`${field}.additionalProperties`, exclusive)] : []),
    ...(typeof others === 'object'
      ? validateNode(`${field}.additionalProperties`, others, { ...around, isRoot: false })
      : []),
    ...Object.entries(properties).flatMap(([name, node]) => {
      const isMeta = around.isRoot && metaFields.includes(name);
      const noDefaults = isMeta ? `in top-level ${name}` : around.noDefaults;
      const place = keyPath(`${field}.properties`, name);
      return validateNode(place, node, { ...around, isRoot: false, noDefaults });
    }),
  ];
}

function validateItems(field: string, schema: TypeSchema, below: Surroundings): FieldProblem[] {
  const { items } = schema;
  if (!items) return [];
  if (Array.isArray(items)) {
    return [forbidden(`${field}.items`, 'items must be a schema object and not an array')];
  }
  const isCorrelated = schema['x-kubernetes-list-type'] === 'map';
  const uncorrelated = isCorrelated ? below.uncorrelated : below.uncorrelated || field;
  return validateNode(`${field}.items`, items, { ...below, uncorrelated });
}

function validateMapType(field: string, schema: TypeSchema): FieldProblem[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const rule = 'must be object if x-kubernetes-map-type is specified';
  return [
    ...ofType(field, schema, 'object', rule),
    ...oneOf(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']),
  ];
}

function validateListType(field: string, schema: TypeSchema): FieldProblem[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  const rule = 'must be array if x-kubernetes-list-type is specified';
  const wrong = ofType(field, schema, 'array', rule);
  return [
    ...(wrong.length > 0 ? wrong : validateSet(field, schema)),
    ...oneOf(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']),
  ];
}

function ofType(
  field: string,
  { type = '' }: TypeSchema,
  wanted: string,
  rule: string,
): FieldProblem[] {
  if (type === wanted) return [];
  return [type ? invalid(`${field}.type`, type, rule) : required(`${field}.type`, rule)];
}

/** Items of a set are compared as wholes. */
function validateSet(field: string, schema: TypeSchema): FieldProblem[] {
  const { items } = schema;
  if (schema['x-kubernetes-list-type'] !== 'set' || !items) return [];
  const rule = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${field}.items.x-kubernetes-list-type`, listType, rule)];
  }
  if (items.type !== 'object' || items['x-kubernetes-map-type'] === 'atomic') return [];
  return [invalid(`${field}.items.x-kubernetes-map-type`, listType, rule)];
}
