import { expect, test } from 'vitest';
import { deepCopy, deepEqual, isJsonObject, ownMember } from './json.ts';

test.each([
  [1, 1],
  ['a', 'a'],
  [null, null],
  [[], []],
  [{}, {}],
  [
    { a: 1, b: [1, { c: null }] },
    { b: [1, { c: null }], a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [{ a: 1 }, { b: undefined, a: 1 }],
])('deepEqual() finds %j and %j the same', (a, b) => {
  expect(deepEqual(a, b)).toBe(true);
  expect(deepEqual(b, a)).toBe(true);
});

test.each([
  [1, 2],
  [1, '1'],
  [0, false],
  [null, undefined],
  [null, {}],
  [[], {}],
  [{}, []],
  [[1], [1, 2]],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: null }, {}],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
])('deepEqual() tells %j from %j', (a, b) => {
  expect(deepEqual(a, b)).toBe(false);
  expect(deepEqual(b, a)).toBe(false);
});

test('deepEqual() does not take inherited properties for members', () => {
  const plain = { x: 1 };
  expect(deepEqual(JSON.parse('{"constructor":1}'), plain)).toBe(false);
  expect(deepEqual({ toString: Object.prototype.toString }, {})).toBe(false);
  expect(deepEqual(JSON.parse('{"__proto__":{}}'), {})).toBe(false);
  expect(deepEqual(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'))).toBe(true);
});

test('deepCopy() copies every level', () => {
  const original = { list: [{ a: 1 }, [2]], object: { b: { c: 'd' } }, nothing: null };
  const copy = deepCopy(original);
  expect(copy).toEqual(original);
  expect(copy).not.toBe(original);
  expect(copy.list).not.toBe(original.list);
  expect(copy.list[0]).not.toBe(original.list[0]);
  expect(copy.list[1]).not.toBe(original.list[1]);
  expect(copy.object.b).not.toBe(original.object.b);
});

test.each([null, true, 0, 'text'])('deepCopy() returns %j as it is', (value) => {
  expect(deepCopy(value)).toBe(value);
});

test('deepCopy() keeps a member named "__proto__" a member', () => {
  const text = '{"a":{"__proto__":{"polluted":true}}}';
  const copy = deepCopy(JSON.parse(text));
  expect(JSON.stringify(copy)).toBe(text);
  expect(copy.a.polluted).toBeUndefined();
  expect(Object.getPrototypeOf(copy.a)).toBe(Object.prototype);
  expect(Object.getOwnPropertyDescriptor(copy.a, '__proto__')).toMatchObject({ writable: true });
});

test('isJsonObject() knows objects from lists and null', () => {
  expect(isJsonObject({})).toBe(true);
  for (const value of [null, [], 'a', 1, undefined]) expect(isJsonObject(value)).toBe(false);
});

test('ownMember() sees no inherited member', () => {
  expect(ownMember({ a: 1 }, 'a')).toBe(1);
  expect(ownMember({}, 'constructor')).toBeUndefined();
  expect(ownMember({}, '__proto__')).toBeUndefined();
});
