import { expect, test } from 'vitest';
import { strictDecodingError, strictProblems } from './strict-fields.ts';

const problemsIn = (text: string, unknown: readonly string[]) =>
  strictProblems(text, JSON.parse(text), unknown);

test('strictProblems() lists unknown and repeated fields in the order of the document', () => {
  const text = `{"metadata":{"name":"y","foo":1,"name":"z"},"spec":{"bar":{"a":1,"a":2},"replicas":1,
    "replicas":2,"template":{"labels":{"a":"}\\"","a":"b"},"list":[{"x":1},{"x":1,"zz":1,"x":[]}]}}}`;
  const unknown = ['metadata.foo', 'spec.bar', 'spec.template.list[1].zz'];
  expect(problemsIn(text, unknown)).toEqual([
    'unknown field "metadata.foo"',
    'duplicate field "metadata.name"',
    'unknown field "spec.bar"',
    'duplicate field "spec.replicas"',
    'duplicate field "spec.template.labels.a"',
    'unknown field "spec.template.list[1].zz"',
    'duplicate field "spec.template.list[1].x"',
  ]);
});

test('strictProblems() tells every problem once', () => {
  expect(problemsIn('{"a":1,"a":2,"a":3,"b":1,"b":2}', ['b'])).toEqual([
    'duplicate field "a"',
    'unknown field "b"',
  ]);
});

test.each(['1', '"x"', '[]', '{}', '[{"a":[]},{"a":{}}]', '{"a":"{\\"b\\":1}"}'])(
  'strictProblems() finds nothing in %s',
  (text) => {
    expect(problemsIn(text, [])).toEqual([]);
  },
);

test('strictDecodingError() is the sentence of the server', () => {
  expect(strictDecodingError(['unknown field "a"', 'duplicate field "b"'])).toBe(
    'strict decoding error: unknown field "a", duplicate field "b"',
  );
});
