import { deepEqual } from '@liqo/kube';
import { forbidden, invalid, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { keyPath } from '../field-path.ts';
import { validateNested } from './nested-schema.ts';

type Level = 'root' | 'items' | 'field';

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** A structural schema says of every value what type it has: without that nothing could be pruned or defaulted. */
export function validateStructural(field: string, schema: TypeSchema): FieldProblem[] {
  const problems = [
    ...validateNode(field, schema, 'root'),
    ...validateNested.completeness(field, schema),
  ];
  return problems.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

function textOf({ field, message }: FieldProblem): string {
  return `${field}: ${message}`;
}

function validateNode(field: string, schema: TypeSchema, level: Level): FieldProblem[] {
  const { items, properties = {}, additionalProperties: others } = schema;
  const isRoot = level === 'root';
  return [
    ...(schema.type === 'array' && !items ? [required(`${field}.items`, 'must be specified')] : []),
    ...(items ? validateNode(`${field}.items`, items, 'items') : []),
    ...Object.entries(properties).flatMap(([name, node]) =>
      validateNode(keyPath(`${field}.properties`, name), node, 'field'),
    ),
    ...(isRoot && others !== undefined
      ? [forbidden(`${field}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(typeof others === 'object'
      ? validateNode(`${field}.additionalProperties`, others, 'field')
      : []),
    ...validateIntOrString(field, schema),
    ...validateNested.junctors(field, schema),
    ...validateType(field, schema, level),
    ...validateEmbedding(field, schema),
    ...validateMetadata(field, schema, isRoot),
  ];
}

function validateIntOrString(field: string, schema: TypeSchema): FieldProblem[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  const others = [
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
  ] as const;
  return others
    .filter((name) => schema[name])
    .map((name) =>
      invalid(`${field}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    );
}

function validateType(field: string, schema: TypeSchema, level: Level): FieldProblem[] {
  const { type = '' } = schema;
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const rule = 'must be object if x-kubernetes-embedded-resource is true';
    return [type ? invalid(`${field}.type`, type, rule) : required(`${field}.type`, rule)];
  }
  const isOpen =
    schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'];
  if (!type) return isOpen ? [] : [required(`${field}.type`, emptyType[level])];
  if (level !== 'root' || type === 'object') return [];
  return [invalid(`${field}.type`, type, 'must be object at the root')];
}

function validateEmbedding(field: string, schema: TypeSchema): FieldProblem[] {
  if (!schema['x-kubernetes-embedded-resource']) return [];
  const isEmpty =
    !schema['x-kubernetes-preserve-unknown-fields'] &&
    Object.keys(schema.properties ?? {}).length === 0;
  const closed = 'must not be used if x-kubernetes-embedded-resource is set';
  const empty =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  return [
    ...(schema.additionalProperties !== undefined
      ? [forbidden(`${field}.additionalProperties`, closed)]
      : []),
    ...(isEmpty ? [required(`${field}.properties`, empty)] : []),
  ];
}

/** Kind, version and metadata have types of their own; a schema may restrict the names, and no more. */
function validateMetadata(field: string, schema: TypeSchema, isRoot: boolean): FieldProblem[] {
  if (!isRoot && !schema['x-kubernetes-embedded-resource']) return [];
  const texts = ['kind', 'apiVersion'].flatMap((name) => {
    const type = propertyOf(schema, name)?.type ?? '';
    if (!propertyOf(schema, name) || type === 'string') return [];
    return [invalid(`${keyPath(`${field}.properties`, name)}.type`, type, 'must be string')];
  });
  const metadata = propertyOf(schema, 'metadata');
  if (!metadata) return texts;
  const place = keyPath(`${field}.properties`, 'metadata');
  const { type = '' } = metadata;
  return [
    ...texts,
    ...(type === 'object' ? [] : [invalid(`${place}.type`, type, 'must be object')]),
    ...(isRoot && !restrictsNamesAlone(metadata) ? [forbidden(place, namesAlone)] : []),
  ];
}

const namesAlone =
  'must not specify anything other than name and generateName, but metadata is implicitly specified';

function restrictsNamesAlone({ type: _, properties = {}, ...rest }: TypeSchema): boolean {
  const isNames = Object.keys(properties).every((one) => one === 'name' || one === 'generateName');
  const {
    default: __,
    description: ___,
    ...meaning
  } = rest as TypeSchema & { description?: string };
  return isNames && deepEqual(meaning, {});
}
