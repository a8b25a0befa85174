import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prune } from '../schema/prune.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { withDefaultValues } from './default-values.ts';
import { validateValue } from './validation/validate-value.ts';

const names = fc.constantFrom('a', 'b', 'c');

const { schema: schemas } = fc.letrec<{ schema: TypeSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<TypeSchema>(
      { type: 'string' },
      { type: 'string', default: 'x' },
      { type: 'string', nullable: true },
      { type: 'string', enum: ['x', 'y'], default: 'y' },
      { type: 'integer', minimum: 0, maximum: 9 },
      { type: 'integer', default: 3 },
      { type: 'boolean' },
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ),
    fc.record({ items: tie('schema') }).map(({ items }) => ({ type: 'array', items })),
    tie('schema').map((others) => ({ type: 'object', additionalProperties: others })),
    fc
      .record({
        properties: fc.dictionary(names, tie('schema'), { minKeys: 1 }),
        hasDefault: fc.boolean(),
        nullable: fc.boolean(),
      })
      .map(({ properties, hasDefault, nullable }) => ({
        type: 'object',
        properties,
        nullable,
        ...(hasDefault && { default: {} }),
      })),
  ),
}));

/** Mostly what the schemas ask for, so that much of it is valid. */
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('x', 'y', 3, 12, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'unknown'), tie('value')),
  ),
}));

const pruned = (schema: TypeSchema, value: unknown) => prune(schema, value, (same) => same).value;
const isValid = (schema: TypeSchema, value: unknown) =>
  validateValue(schema, value, '').problems.length === 0;

describe('prune() and withDefaultValues()', () => {
  test('change nothing the second time', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const once = withDefaultValues(schema, pruned(schema, value));
        expect(pruned(schema, once)).toEqual(once);
        expect(withDefaultValues(schema, once)).toEqual(once);
      }),
    );
  });

  test('keep a valid object valid', () => {
    let count = 0;
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        if (!isValid(schema, value)) return;
        count += 1;
        expect(isValid(schema, withDefaultValues(schema, pruned(schema, value)))).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(count).toBeGreaterThan(20);
  });
});
