import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRequirement, type LabelRequirement } from './label-requirement.ts';
import {
  formatLabelSelector,
  LabelSelectorError,
  labelQueryOf,
  matchesLabels,
} from './label-selector.ts';
import { parseLabelSelector } from './parse-label-selector.ts';

const keys = fc.constantFrom('a', 'b', 'in', 'notin', 'example.com/c');
const values = fc.constantFrom('', 'x', 'y', 'in', '1', '12');

const requirements: fc.Arbitrary<LabelRequirement> = fc
  .record({
    key: keys,
    operator: fc.constantFrom('=', '==', '!=', 'in', 'notin', 'exists', '!', '>', '<'),
    values: fc.uniqueArray(values, { maxLength: 3 }).map((list) => list.sort()),
  })
  .filter((requirement) => checkRequirement(requirement).length === 0);

const queries = fc.array(requirements, { maxLength: 4 }).map(labelQueryOf);
const labels = fc.dictionary(keys, values);

test('parseLabelSelector() undoes formatLabelSelector()', () => {
  fc.assert(
    fc.property(queries, (query) => {
      expect(parseLabelSelector(formatLabelSelector(query))).toEqual(query);
    }),
  );
});

test('a selector matches if and only if each of its requirements alone does', () => {
  fc.assert(
    fc.property(queries, labels, (query, set) => {
      const alone = query.requirements.map((requirement) => labelQueryOf([requirement]));
      expect(matchesLabels(query, set)).toBe(alone.every((one) => matchesLabels(one, set)));
    }),
  );
});

test('opposite operators never agree', () => {
  fc.assert(
    fc.property(keys, fc.array(values, { minLength: 1 }), labels, (key, list, set) => {
      const matches = (operator: LabelRequirement['operator'], wanted: readonly string[]) =>
        matchesLabels(labelQueryOf([{ key, operator, values: wanted }]), set);
      expect(matches('in', list)).toBe(!matches('notin', list));
      expect(matches('=', list.slice(0, 1))).toBe(!matches('!=', list.slice(0, 1)));
      expect(matches('exists', [])).toBe(!matches('!', []));
    }),
  );
});

test('parseLabelSelector() accepts or refuses, but never fails otherwise', () => {
  const pieces = fc.constantFrom(
    'a',
    ' ',
    ',',
    '=',
    '!',
    '(',
    ')',
    '<',
    '>',
    'in',
    'notin',
    'ä',
    '1',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
      try {
        parseLabelSelector(parts.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(LabelSelectorError);
      }
    }),
  );
});
