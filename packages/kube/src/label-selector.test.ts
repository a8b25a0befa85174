import { expect, test } from 'vitest';
import {
  formatLabelSelector,
  LabelSelectorError,
  labelQueryFromLabels,
  labelQueryFromSelector,
  matchesLabels,
  selectEverything,
  selectNothing,
} from './label-selector.ts';
// What apimachinery v0.35.4 answers, for selectors chosen by hand and at random.
import vectors from './label-selector.vectors.json' with { type: 'json' };
import { parseLabelSelector } from './parse-label-selector.ts';

const labelSets = vectors.labels as readonly Readonly<Record<string, string>>[];

test('parseLabelSelector() and formatLabelSelector() agree with the API server', () => {
  const ours = vectors.parse.map(([text = '']) => [
    text,
    formatLabelSelector(parseLabelSelector(text)),
  ]);
  expect(ours).toEqual(vectors.parse);
});

test.each(vectors.refuse)('parseLabelSelector() refuses %j as the API server does', (text) => {
  expect(() => parseLabelSelector(text)).toThrow(LabelSelectorError);
});

test('matchesLabels() agrees with the API server', () => {
  const ours = vectors.match.map(([text = '']) => {
    const query = parseLabelSelector(text);
    return [text, labelSets.map((labels) => (matchesLabels(query, labels) ? '1' : '0')).join('')];
  });
  expect(ours).toEqual(vectors.match);
});

test('parseLabelSelector() puts values in order, once each', () => {
  expect(parseLabelSelector('b in (z,x,z,y),a').requirements).toEqual([
    { key: 'a', operator: 'exists', values: [] },
    { key: 'b', operator: 'in', values: ['x', 'y', 'z'] },
  ]);
});

test.each([
  ['a,', 'it ends where the key of a label is expected'],
  [',a', 'it has "," where the key of a label is expected'],
  ['a b', 'it has "b" where =, ==, !=, >, <, in or notin is expected'],
  ['a in b', 'it has "b" where "(" is expected'],
  ['a in (b', 'it ends where "," or ")" is expected'],
  ['a=b=c', 'it has "=" where "," or the end is expected'],
  ['a=(b)', 'it has "(" where the value of a label is expected'],
  ['a>x', '"a" needs one integer for the operator ">"'],
  ['-a=b', 'the key "-a" does not start and end with a letter or a digit'],
  ['a=b/c', 'the value "b/c" of "a" has characters other than letters, digits, "-", "_" and "."'],
])('parseLabelSelector() says what is wrong with %j', (text, fact) => {
  expect(() => parseLabelSelector(text)).toThrow(
    new LabelSelectorError(`Cannot parse label selector "${text}": ${fact}`),
  );
});

test('an absent selector selects nothing, an empty one everything', () => {
  for (const absent of [null, undefined]) {
    expect(labelQueryFromSelector(absent)).toEqual(selectNothing);
  }
  for (const empty of [{}, { matchLabels: {} }, { matchExpressions: [] }]) {
    expect(labelQueryFromSelector(empty)).toEqual(selectEverything);
  }
  expect(parseLabelSelector('')).toEqual(selectEverything);
  expect(matchesLabels(selectNothing, {})).toBe(false);
  expect(matchesLabels(selectEverything, undefined)).toBe(true);
  expect([selectNothing, selectEverything].map(formatLabelSelector)).toEqual(['', '']);
});

test('labelQueryFromSelector() asks for all labels and all expressions', () => {
  const query = labelQueryFromSelector({
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['front', 'back'] },
      { key: 'zone', operator: 'NotIn', values: ['eu'] },
      { key: 'a', operator: 'Exists' },
      { key: 'b', operator: 'DoesNotExist', values: [] },
    ],
  });
  expect(formatLabelSelector(query)).toBe('a,app=web,!b,tier in (back,front),zone notin (eu)');
  expect(matchesLabels(query, { app: 'web', tier: 'back', a: '' })).toBe(true);
  expect(matchesLabels(query, { app: 'web', tier: 'back', a: '', b: '' })).toBe(false);
  expect(matchesLabels(query, { app: 'web', tier: 'back', a: '', zone: 'eu' })).toBe(false);
  expect(matchesLabels(query, { app: 'web', tier: 'side', a: '' })).toBe(false);
  expect(matchesLabels(query, { tier: 'back', a: '' })).toBe(false);
  expect(matchesLabels(query, undefined)).toBe(false);
});

test.each([
  [
    { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] },
    '"Gt" is not an operator (use In, NotIn, Exists, DoesNotExist)',
  ],
  [
    { matchExpressions: [{ key: 'a', operator: 'constructor' }] },
    '"constructor" is not an operator (use In, NotIn, Exists, DoesNotExist)',
  ],
  [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, '"a" needs values for the operator "in"'],
  [
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
    '"a" must not have values, for only its presence matters',
  ],
  [{ matchLabels: { '': 'b' } }, 'the key "" is empty'],
  [
    { matchLabels: { 'a b': '-' } },
    'the key "a b" has characters other than letters, digits, "-", "_" and "."; the value "-" of "a b" does not start and end with a letter or a digit',
  ],
])('labelQueryFromSelector() refuses %j', (selector, fact) => {
  expect(() => labelQueryFromSelector(selector)).toThrow(
    new LabelSelectorError(`Cannot use label selector: ${fact}`),
  );
});

test('labelQueryFromLabels() selects what has all of the labels', () => {
  const query = labelQueryFromLabels({ b: '2', a: '1' });
  expect(formatLabelSelector(query)).toBe('a=1,b=2');
  expect(matchesLabels(query, { a: '1', b: '2', c: '3' })).toBe(true);
  expect(matchesLabels(query, { a: '1' })).toBe(false);
  expect(labelQueryFromLabels({})).toEqual(selectEverything);
});

test('matchesLabels() does not take inherited properties for labels', () => {
  expect(matchesLabels(parseLabelSelector('constructor'), {})).toBe(false);
  expect(matchesLabels(parseLabelSelector('!constructor'), {})).toBe(true);
});
