import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldQuery, formatFieldSelector, parseFieldSelector } from './field-selector.ts';

const values = fc.string({ unit: fc.constantFrom('a', ',', '=', '\\', '!', ' ', 'ä') });

const query: fc.Arbitrary<FieldQuery> = fc.uniqueArray(
  fc.record({
    field: fc.stringMatching(/^[a-z]{1,3}(\.[a-z]{1,3})?$/),
    operator: fc.constantFrom('=', '!='),
    value: values,
  }),
  { maxLength: 4 },
);

test('parseFieldSelector() undoes formatFieldSelector(), whatever is in the values', () => {
  fc.assert(
    fc.property(query, (requirements) => {
      const read = parseFieldSelector(formatFieldSelector(requirements));
      expect(read).toHaveLength(requirements.length);
      expect(read).toEqual(expect.arrayContaining([...requirements]));
      expect(parseFieldSelector(formatFieldSelector(read))).toEqual(read);
    }),
  );
});
