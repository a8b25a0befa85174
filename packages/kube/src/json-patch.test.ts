import { expect, test } from 'vitest';
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from './json-patch.ts';

const pod = {
  metadata: { labels: { 'app.kubernetes.io/name': 'web', 'a~b': 'c' } },
  spec: { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'eu-1' },
};

const names = (document: typeof pod) => document.spec.containers.map(({ name }) => name);

test.each([
  ['at the start', '/spec/containers/0', ['new', 'a', 'b']],
  ['in the middle', '/spec/containers/1', ['a', 'new', 'b']],
  ['at the end', '/spec/containers/2', ['a', 'b', 'new']],
  ['after the last', '/spec/containers/-', ['a', 'b', 'new']],
])('add inserts into a list %s', (_, path, expected) => {
  const patched = applyJsonPatch(pod, [{ op: 'add', path, value: { name: 'new' } }]);
  expect(names(patched)).toEqual(expected);
});

test.each<[string, JsonPatchOperation[], unknown, unknown]>([
  ['add sets a member', [{ op: 'add', path: '/b', value: 2 }], { a: 1 }, { a: 1, b: 2 }],
  ['add replaces a member', [{ op: 'add', path: '/a', value: 2 }], { a: 1 }, { a: 2 }],
  ['add may set null', [{ op: 'add', path: '/a', value: null }], {}, { a: null }],
  [
    'add takes "-" for a member of an object',
    [{ op: 'add', path: '/-', value: 1 }],
    {},
    { '-': 1 },
  ],
  ['add takes an empty key', [{ op: 'add', path: '/', value: 1 }], {}, { '': 1 }],
  ['add replaces the document', [{ op: 'add', path: '', value: [1] }], { a: 1 }, [1]],
  ['replace changes a member', [{ op: 'replace', path: '/a', value: 2 }], { a: 1 }, { a: 2 }],
  ['replace changes an item', [{ op: 'replace', path: '/1', value: 9 }], [1, 2, 3], [1, 9, 3]],
  ['replace changes the document', [{ op: 'replace', path: '', value: 'x' }], { a: 1 }, 'x'],
  ['remove drops a member', [{ op: 'remove', path: '/a' }], { a: 1, b: 2 }, { b: 2 }],
  ['remove closes the gap', [{ op: 'remove', path: '/0' }], [1, 2, 3], [2, 3]],
  ['move renames', [{ op: 'move', from: '/a', path: '/b' }], { a: 1 }, { b: 1 }],
  ['move reorders', [{ op: 'move', from: '/0', path: '/2' }], [1, 2, 3], [2, 3, 1]],
  [
    'move to the same place is nothing',
    [{ op: 'move', from: '/a', path: '/a' }],
    { a: 1 },
    { a: 1 },
  ],
  [
    'move lifts a child over its parent',
    [{ op: 'move', from: '/a/b', path: '/a' }],
    { a: { b: 1 } },
    { a: 1 },
  ],
  [
    'copy repeats',
    [{ op: 'copy', from: '/a', path: '/b/-' }],
    { a: 1, b: [0] },
    { a: 1, b: [0, 1] },
  ],
  [
    'copy takes the document into itself',
    [{ op: 'copy', from: '', path: '/b' }],
    { a: 1 },
    { a: 1, b: { a: 1 } },
  ],
  ['an empty patch changes nothing', [], { a: 1 }, { a: 1 }],
])('%s', (_, patch, document, expected) => {
  expect(applyJsonPatch(document, patch)).toEqual(expected);
});

test('test passes on equal values, in whatever order their members are', () => {
  const patch = [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }] as const;
  const document = { a: { x: 1, y: [2] } };
  expect(applyJsonPatch(document, patch)).toBe(document);
});

test('pointers unescape ~1 and ~0, in this order', () => {
  const patched = applyJsonPatch<unknown>(pod, [
    { op: 'replace', path: '/metadata/labels/app.kubernetes.io~1name', value: 'x' },
    { op: 'replace', path: '/metadata/labels/a~0b', value: 'y' },
    { op: 'add', path: '/metadata/labels/~01', value: 'z' },
  ]);
  expect(patched).toMatchObject({
    metadata: { labels: { 'app.kubernetes.io/name': 'x', 'a~b': 'y', '~1': 'z' } },
  });
});

const replace = (path: string): JsonPatchOperation => ({ op: 'replace', path, value: 1 });

test.each<[string, unknown, string]>([
  ['a missing member', replace('/c'), '(replace "/c"): there is no member "c"'],
  [
    'a missing parent',
    { op: 'add', path: '/c/d', value: 1 },
    '(add "/c/d"): there is no member "c"',
  ],
  [
    'a missing item',
    { op: 'remove', path: '/list/2' },
    '(remove "/list/2"): there is no item 2 in a list of 2',
  ],
  [
    'a gap in a list',
    { op: 'add', path: '/list/3', value: 1 },
    '(add "/list/3"): item 3 would leave a gap in a list of 2',
  ],
  ['a leading zero', replace('/list/01'), '(replace "/list/01"): "01" is not an index of a list'],
  ['a negative index', replace('/list/-1'), '(replace "/list/-1"): "-1" is not an index of a list'],
  [
    'an exponent as an index',
    replace('/list/1e0'),
    '(replace "/list/1e0"): "1e0" is not an index of a list',
  ],
  [
    '"-" where something must be',
    replace('/list/-'),
    '(replace "/list/-"): "-" is not an index of a list',
  ],
  [
    'a name in a list',
    replace('/list/length'),
    '(replace "/list/length"): "length" is not an index of a list',
  ],
  [
    'a step into a string',
    replace('/text/0'),
    '(replace "/text/0"): "0" leads into a value that is neither an object nor a list',
  ],
  [
    'a test that fails',
    { op: 'test', path: '/text', value: 'b' },
    '(test "/text"): the value is another one',
  ],
  [
    'a test of what is not there',
    { op: 'test', path: '/c', value: null },
    '(test "/c"): there is no member "c"',
  ],
  [
    'a move into itself',
    { op: 'move', from: '/list', path: '/list/0' },
    '(move "/list" to "/list/0"): a value cannot be moved into itself',
  ],
  [
    'a move of what is not there',
    { op: 'move', from: '/c', path: '/d' },
    '(move "/c" to "/d"): there is no member "c"',
  ],
  [
    'the removal of everything',
    { op: 'remove', path: '' },
    '(remove ""): the whole document cannot be removed',
  ],
  ['an unknown operation', { op: 'merge', path: '/a' }, '(merge "/a"): there is no such operation'],
  ['an operation without a value', { op: 'add', path: '/a' }, '(add "/a"): it has no value'],
  [
    'a pointer without a slash',
    replace('a'),
    '(replace "a"): its "path" is not a JSON pointer such as "/spec/replicas"',
  ],
  [
    'a pointer with a bad escape',
    replace('/a~2'),
    '(replace "/a~2"): its "path" is not a JSON pointer such as "/spec/replicas"',
  ],
  [
    'a copy from nowhere',
    { op: 'copy', path: '/a' },
    '(copy "/a"): its "from" is not a JSON pointer such as "/spec/replicas"',
  ],
  ['an operation that is none', null, ': it is not an object'],
])('applyJsonPatch() refuses %s, and says which operation it was', (_, operation, message) => {
  const document = { text: 'a', list: [1, 2] };
  const patch = [{ op: 'test', path: '/text', value: 'a' }, operation] as JsonPatchOperation[];
  const expected = `Cannot apply patch operation 1${message.startsWith(':') ? '' : ' '}${message}`;
  expect(() => applyJsonPatch(document, patch)).toThrow(
    expect.objectContaining({ name: 'JsonPatchError', message: expected, index: 1 }),
  );
});

test('applyJsonPatch() refuses a patch that is not a list', () => {
  const patch = JSON.parse('{"op":"remove","path":"/a"}');
  expect(() => applyJsonPatch({ a: 1 }, patch)).toThrow('Cannot apply patch: it is not a list');
});

test('applyJsonPatch() leaves the document alone, also when it fails half way', () => {
  const before = JSON.stringify(pod);
  const good: JsonPatchOperation = { op: 'remove', path: '/spec/containers/0' };
  expect(names(applyJsonPatch(pod, [good]))).toEqual(['b']);
  expect(() => applyJsonPatch(pod, [good, replace('/missing')])).toThrow(JsonPatchError);
  expect(JSON.stringify(pod)).toBe(before);
});

test('applyJsonPatch() leaves the patch alone, also when it changes what the patch has put in', () => {
  const value = { labels: {} };
  const patch: JsonPatchOperation[] = [
    { op: 'add', path: '/a', value },
    { op: 'add', path: '/a/labels/x', value: 1 },
  ];
  expect(applyJsonPatch({}, patch)).toEqual({ a: { labels: { x: 1 } } });
  expect(value).toEqual({ labels: {} });
});

test('applyJsonPatch() shares what did not change', () => {
  const patched = applyJsonPatch(pod, [{ op: 'replace', path: '/spec/nodeName', value: 'eu-2' }]);
  expect(patched.metadata).toBe(pod.metadata);
  expect(patched.spec.containers).toBe(pod.spec.containers);
  expect(patched.spec).not.toBe(pod.spec);
});

test('copy makes a value of its own', () => {
  const patched = applyJsonPatch<Record<string, unknown>>({ a: { x: 1 } }, [
    { op: 'copy', from: '/a', path: '/b' },
  ]);
  expect(patched.b).toEqual(patched.a);
  expect(patched.b).not.toBe(patched.a);
});

test('replace keeps the place of a member', () => {
  const patched = applyJsonPatch({ a: 1, b: 2 }, [{ op: 'replace', path: '/a', value: 3 }]);
  expect(Object.keys(patched)).toEqual(['a', 'b']);
});

test('a member named "__proto__" is a member like any other', () => {
  const patched = applyJsonPatch<object>({}, [
    { op: 'add', path: '/__proto__', value: { polluted: true } },
  ]);
  expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
  expect(applyJsonPatch(patched, [{ op: 'remove', path: '/__proto__' }])).toEqual({});
});

test.each(['/__proto__/polluted', '/constructor/prototype/polluted'])(
  '%s leads nowhere',
  (path) => {
    expect(() => applyJsonPatch({}, [{ op: 'add', path, value: true }])).toThrow(
      'there is no member',
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  },
);
