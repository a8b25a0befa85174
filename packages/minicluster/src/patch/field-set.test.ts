import { expect, test } from 'vitest';
import {
  difference,
  fieldSetOf,
  intersection,
  parseFields,
  pathsOf,
  printFields,
  recursiveDifference,
  union,
} from './field-set.ts';

const fields = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
  'f:spec': {
    'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {} } },
    'f:finalizers': { 'v:"x"': {} },
    'f:list': { 'i:0': {} },
  },
};

test('parseFields() and printFields() are inverse', () => {
  expect(printFields(parseFields(fields))).toEqual(fields);
});

test('printFields() sorts fields, keys by their values, and values', () => {
  const shuffled = {
    'v:"b"': {},
    'k:{"port":100}': {},
    'f:b': {},
    'v:10': {},
    'k:{"port":9}': {},
    'v:"a"': {},
    'f:a': {},
    'k:{"name":"x"}': {},
  };
  expect(Object.keys(printFields(parseFields(shuffled)))).toEqual([
    'f:a',
    'f:b',
    'k:{"name":"x"}',
    'k:{"port":9}',
    'k:{"port":100}',
    'v:10',
    'v:"a"',
    'v:"b"',
  ]);
});

test('parseFields() spells keys canonically and ignores steps of unknown kinds', () => {
  const parsed = parseFields({ 'k:{"b": 1, "a": "<"}': {}, 'z:new': {} });
  expect(Object.keys(printFields(parsed))).toEqual(['k:{"a":"\\u003c","b":1}']);
});

test.each(['x', 'spec', 'k:{'])('parseFields() refuses the step %j', (step) => {
  expect(() => parseFields({ [step]: {} })).toThrow(SyntaxError);
});

test('pathsOf() names places as conflicts do, each before what is below it', () => {
  expect(pathsOf(parseFields(fields))).toEqual([
    '.metadata.labels',
    '.metadata.labels.app',
    '.spec.containers[name="c"]',
    '.spec.containers[name="c"].image',
    '.spec.finalizers[="x"]',
    '.spec.list[0]',
  ]);
});

const parent = fieldSetOf([['a']]);
const child = fieldSetOf([['a', 'b']]);

test('difference() leaves what is below a field alone, recursiveDifference() does not', () => {
  expect(pathsOf(difference(union(parent, child), parent))).toEqual(['.a.b']);
  expect(pathsOf(recursiveDifference(union(parent, child), parent))).toEqual([]);
  expect(pathsOf(recursiveDifference(union(parent, child), child))).toEqual(['.a']);
});

test('intersection() does not take a field for what is below it', () => {
  expect(pathsOf(intersection(parent, child))).toEqual([]);
  expect(pathsOf(intersection(union(parent, child), child))).toEqual(['.a.b']);
});
