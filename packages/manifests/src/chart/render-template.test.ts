import { expect, test } from 'vitest';
import { Placeholder } from './placeholder.ts';
import { renderTemplate } from './render-template.ts';

const name = new Placeholder('.Values.name', 'string');
const port = new Placeholder('.Values.port', 'integer');
const isOn = new Placeholder('.Values.on', 'boolean');
const args = new Placeholder('.Values.args', 'array');

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

test('renderTemplate() refuses a text that Helm would take for its own', () => {
  expect(() => renderTemplate({ a: 'x {{ y }}' })).toThrow('Helm would take it for its own');
});

test('Placeholder cannot be computed with, for its value is not known', () => {
  const message = 'Cannot compute with ".Values.port"';
  expect(() => Number(port)).toThrow(message);
  expect(() => (port as unknown as number) > 1).toThrow(message);
  expect(() => [...name]).toThrow('Cannot iterate over ".Values.name"');
});
