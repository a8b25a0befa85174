import { expect, test } from 'vitest';
import { diffJson } from './diff-json.ts';
import type { JsonPatchOperation } from './json-patch.ts';

test.each<[string, unknown, unknown, JsonPatchOperation[]]>([
  ['nothing', { a: [1] }, { a: [1] }, []],
  ['a new member', {}, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
  ['a lost member', { a: 1 }, {}, [{ op: 'remove', path: '/a' }]],
  ['a member that became undefined', { a: 1 }, { a: undefined }, [{ op: 'remove', path: '/a' }]],
  ['another value', { a: { b: 1 } }, { a: { b: 2 } }, [{ op: 'replace', path: '/a/b', value: 2 }]],
  ['another type', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  ['null', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ['the whole document', 1, [], [{ op: 'replace', path: '', value: [] }]],
  ['a key to escape', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
  ['a first item more', [2, 3], [1, 2, 3], [{ op: 'add', path: '/0', value: 1 }]],
  ['a middle item less', [1, 2, 3], [1, 3], [{ op: 'remove', path: '/1' }]],
  ['a last item more', [1], [1, 2], [{ op: 'add', path: '/1', value: 2 }]],
  [
    'a change inside an item',
    [{ a: 1 }, { b: 1 }],
    [{ a: 2 }, { b: 1 }],
    [{ op: 'replace', path: '/0/a', value: 2 }],
  ],
  [
    'all items gone',
    [1, 2],
    [],
    [
      { op: 'remove', path: '/0' },
      { op: 'remove', path: '/0' },
    ],
  ],
])('diffJson() writes %s as a patch', (_, before, after, patch) => {
  expect(diffJson(before, after)).toEqual(patch);
});

test('diffJson() does not take inherited properties for members', () => {
  const after = JSON.parse('{"constructor":1,"__proto__":2}');
  expect(diffJson({}, after)).toEqual([
    { op: 'add', path: '/constructor', value: 1 },
    { op: 'add', path: '/__proto__', value: 2 },
  ]);
});
