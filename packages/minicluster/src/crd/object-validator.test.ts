import { readFileSync } from 'node:fs';
import type { KubeObject } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import type { FieldProblem } from '../rest/refusal.ts';
import { customSchemas } from '../schema/custom-schemas.ts';
import { decodeObject } from '../schema/decode.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { withDefaultValues } from './default-values.ts';
import { ObjectValidator } from './object-validator.ts';

/** What a real API server (1.35) made of objects with one field of `spec` each. Every entry is JSON in a text. */
const vectors: {
  readonly fields: string;
  readonly creations: readonly string[];
  readonly changes: readonly string[];
} = JSON.parse(readFileSync(new URL('./object-validator.vectors.json', import.meta.url), 'utf8'));

type Cause = readonly [field: string, reason: string, message: string] | 'rules not checked';
type Answer = readonly Cause[] | { readonly stored?: unknown };

const fields: Readonly<Record<string, TypeSchema>> = JSON.parse(vectors.fields);
const schema: TypeSchema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: fields } },
};
const { schemas, schema: decodable } = customSchemas(schema);
const validator = new ObjectValidator(schema);

test('ObjectValidator leaves rules unchecked when the metadata lacks what they could rely on', () => {
  const ruled = new ObjectValidator({ ...schema, 'x-kubernetes-validations': [{ rule: 'false' }] });
  const object = { apiVersion: 'vectors.example.org/v1', kind: 'Widget', metadata: {} };
  const problem = { field: 'metadata.name', message: 'any' };
  const found = (reason: FieldProblem['reason']) =>
    ruled.validate(object, [{ ...problem, reason }]).map(shorten);
  expect(found('FieldValueRequired')).toEqual(['rules not checked']);
  expect(found('FieldValueInvalid')).not.toContain('rules not checked');
});

function forge(field: string, value: unknown): KubeObject {
  const object = {
    apiVersion: 'vectors.example.org/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: value === undefined ? {} : { [field]: value },
  };
  return withDefaultValues(schema, decodeObject(schemas, decodable, object).object) as KubeObject;
}

function answerTo(field: string, object: KubeObject, problems: readonly FieldProblem[]): Answer {
  if (problems.length > 0) return problems.map(shorten).sort(byText);
  const stored = (object as { spec?: Record<string, unknown> }).spec?.[field];
  return stored === undefined ? {} : { stored };
}

function shorten({ field, reason, message }: FieldProblem): Cause {
  if (message.includes('rules were not checked')) return 'rules not checked';
  return [field, reason.replace('FieldValue', ''), message];
}

function byText(a: Cause, b: Cause): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function sorted(answer: Answer): Answer {
  return Array.isArray(answer) ? [...(answer as readonly Cause[])].sort(byText) : answer;
}

describe('ObjectValidator', () => {
  const creations = vectors.creations.map((text): [string, unknown, Answer] => JSON.parse(text));

  test.each(creations)('creates or refuses "%s" of %j as a real server', (field, value, answer) => {
    const object = forge(field, value);
    expect(answerTo(field, object, validator.validate(object))).toEqual(sorted(answer));
  });

  type Value = { readonly old?: unknown; readonly value?: unknown };
  const changes = vectors.changes.map((text): [string, Value, Value, Answer] => JSON.parse(text));

  test.each(changes)('updates "%s" from %j to %j as a real server', (field, old, next, answer) => {
    const object = forge(field, next.value);
    const problems = validator.validateUpdate(object, forge(field, old.old));
    expect(answerTo(field, object, problems)).toEqual(sorted(answer));
  });
});
