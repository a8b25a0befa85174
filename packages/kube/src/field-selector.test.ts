import { expect, test } from 'vitest';
import {
  FieldSelectorError,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
} from './field-selector.ts';
// What apimachinery v0.35.4 answers, for selectors chosen by hand and at random.
import vectors from './field-selector.vectors.json' with { type: 'json' };

test('parseFieldSelector() and formatFieldSelector() agree with the API server', () => {
  const ours = vectors.parse.map(([text = '']) => [
    text,
    formatFieldSelector(parseFieldSelector(text)),
  ]);
  expect(ours).toEqual(vectors.parse);
});

test.each(vectors.refuse)('parseFieldSelector() refuses %j as the API server does', (text) => {
  expect(() => parseFieldSelector(text)).toThrow(FieldSelectorError);
});

test('parseFieldSelector() reads fields, operators and escaped values', () => {
  expect(parseFieldSelector('b!=x\\,y\\=z\\\\,a==1')).toEqual([
    { field: 'a', operator: '=', value: '1' },
    { field: 'b', operator: '!=', value: 'x,y=z\\' },
  ]);
});

test.each([
  ['metadata.name', '"metadata.name" has none of =, == and !='],
  ['a=b=c', '"b=c" needs a backslash before each ",", "=" and "\\", nowhere else'],
  ['a=b\\c', '"b\\c" needs a backslash before each ",", "=" and "\\", nowhere else'],
])('parseFieldSelector() says what is wrong with %j', (text, fact) => {
  expect(() => parseFieldSelector(text)).toThrow(
    new FieldSelectorError(`Cannot parse field selector "${text}": ${fact}`),
  );
});

test.each([
  ['', true],
  ['spec.nodeName=eu-1', true],
  ['spec.nodeName=eu-2', false],
  ['spec.nodeName!=eu-2', true],
  ['spec.nodeName!=eu-1', false],
  ['spec.nodeName=eu-1,status.phase!=Running', false],
  ['status.reason=', true],
  ['status.reason!=', false],
])('matchesFields() judges %j', (text, matches) => {
  const fields = new Map([
    ['spec.nodeName', 'eu-1'],
    ['status.phase', 'Running'],
  ]);
  expect(matchesFields(parseFieldSelector(text), (field) => fields.get(field))).toBe(matches);
});
