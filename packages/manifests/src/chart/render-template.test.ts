import { expect, test } from 'vitest';
import { Placeholder } from './placeholder.ts';
import { renderTemplate } from './render-template.ts';
import { choose, conditionOf, when } from './when.ts';
import { withExtra } from './with-extra.ts';

const name = new Placeholder('.Values.name', 'string');
const port = new Placeholder('.Values.port', 'integer');
const isOn = new Placeholder('.Values.on', 'boolean');
const args = new Placeholder('.Values.args', 'array');
const words = new Placeholder('.Values.words', 'object') as unknown as Record<string, string>;
const isWanted = isOn as unknown as boolean;

test.each([
  ['strings with quotes', { a: name }, 'a: {{ .Values.name | quote }}'],
  ['numbers as whole ones', { a: port }, 'a: {{ (int64 .Values.port) }}'],
  ['booleans as they are', { a: isOn }, 'a: {{ .Values.on }}'],
  ['lists below their key', { a: { b: args } }, 'a:\n  b: {{- toYaml .Values.args | nindent 4 }}'],
  ['copies of lists', { a: [...args] }, 'a: {{- toYaml .Values.args | nindent 2 }}'],
  [
    'values within strings',
    { a: [`100% ${name}:${port}`] },
    'a:\n  - {{ printf "100%% %v:%v" .Values.name (int64 .Values.port) | quote }}',
  ],
  ['maps below their key', { a: words }, 'a: {{- toYaml .Values.words | nindent 2 }}'],
  ['only the map', { a: withExtra({}, words) }, 'a: {{- toYaml .Values.words | nindent 2 }}'],
  [
    'maps with keys of their own',
    { a: withExtra({ b: 'c' }, words) },
    'a:\n  b: c\n  {{- with (omit .Values.words "b") }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}',
  ],
  [
    'two maps as one',
    { a: withExtra(words, words) },
    'a: {{- toYaml (merge (deepCopy .Values.words) .Values.words) | nindent 2 }}',
  ],
  [
    'lists behind items',
    { a: ['--b', ...args] },
    'a:\n  - "--b"\n  {{- with .Values.args }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}',
  ],
  [
    'a choice of two texts',
    { a: choose(isWanted, `:${port}`, name as unknown as string) },
    'a: {{ (ternary (printf ":%v" (int64 .Values.port)) .Values.name .Values.on) | quote }}',
  ],
])('renderTemplate() renders %s', (_, object, text) => {
  expect(renderTemplate(object)).toBe(`${text}\n`);
});

test.each([
  ['words', { a: 'apps/v1' }, 'a: apps/v1'],
  ['what YAML would not take for a string', { a: 'no', b: '1' }, 'a: "no"\nb: "1"'],
  ['nothing for what is undefined', { a: 1, b: undefined }, 'a: 1'],
  ['an empty map', { a: {} }, 'a: {}'],
  ['an empty list', { a: [] }, 'a: []'],
  ['a list of words', { a: ['get', ''] }, 'a: [get, ""]'],
  ['a list of maps', { a: [{ b: 1, c: { d: true } }] }, 'a:\n  - b: 1\n    c:\n      d: true'],
])('renderTemplate() renders %s', (_, object, text) => {
  expect(renderTemplate(object)).toBe(`${text}\n`);
});

test('renderTemplate() keeps a text from Helm that it would take for its own', () => {
  expect(renderTemplate({ a: 'x {{ y }}' })).toBe('a: {{ `x {{ y }}` | quote }}\n');
  expect(() => renderTemplate({ a: '{{ `' })).toThrow('it has both');
});

test('when() leaves out what is not wanted, and a chart decides later', () => {
  const object = { kind: 'Service' };
  expect(when(true, [object])).toEqual([object]);
  expect(when(false, [object])).toEqual([]);
  const [later] = when(isWanted, [object]);
  expect(conditionOf({ ...later })).toBe('.Values.on');
  expect(conditionOf(object)).toBeUndefined();
});

test('withExtra() keeps the keys of the first map', () => {
  expect(withExtra({ a: '1' }, { a: '2', b: '3' })).toEqual({ a: '1', b: '3' });
});

test('Placeholder cannot be computed with, for its value is not known', () => {
  const message = 'Cannot compute with ".Values.port"';
  expect(() => Number(port)).toThrow(message);
  expect(() => (port as unknown as number) > 1).toThrow(message);
  expect(() => [...name]).toThrow('Cannot iterate over ".Values.name"');
});
