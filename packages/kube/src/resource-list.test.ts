import { expect, test } from 'vitest';
import {
  addResources,
  equalResources,
  fitsWithin,
  maxResources,
  missingResources,
  subtractResources,
} from './resource-list.ts';

const pod = { cpu: '500m', memory: '1Gi' };

test('addResources() adds name by name and keeps the names of both', () => {
  expect(addResources(pod, { cpu: '1', 'nvidia.com/gpu': 2 })).toEqual({
    cpu: '1500m',
    memory: '1Gi',
    'nvidia.com/gpu': '2',
  });
});

test('addResources() of nothing and nothing is nothing', () => {
  expect(addResources({}, {})).toEqual({});
});

test('subtractResources() goes below zero for what the first one lacks', () => {
  expect(subtractResources(pod, { memory: '512Mi', pods: '1' })).toEqual({
    cpu: '500m',
    memory: '512Mi',
    pods: '-1',
  });
});

test('maxResources() takes the larger amount of each name', () => {
  expect(maxResources(pod, { cpu: '2', memory: '1Mi', pods: '1' })).toEqual({
    cpu: '2',
    memory: '1Gi',
    pods: '1',
  });
});

test('equalResources() compares amounts, not spellings', () => {
  expect(equalResources(pod, { cpu: 0.5, memory: '1024Mi', pods: '0' })).toBe(true);
  expect(equalResources(pod, { cpu: '501m', memory: '1Gi' })).toBe(false);
  expect(equalResources({}, { pods: '1' })).toBe(false);
});

test.each([
  ['what is there to the last bit', pod, { cpu: '0.5', memory: '1Gi' }, true],
  ['less than is there', pod, { cpu: '4', memory: '8Gi' }, true],
  ['more than is there', pod, { cpu: '499m', memory: '8Gi' }, false],
  ['nothing', {}, {}, true],
  ['zero, where less than zero is left', { cpu: '0' }, { cpu: '-1' }, true],
] as const)('fitsWithin() judges a request for %s', (_, requested, available, fits) => {
  expect(fitsWithin(requested, available, 'none')).toBe(fits);
});

test('fitsWithin() takes what is not mentioned as none or as unlimited', () => {
  expect(fitsWithin(pod, { cpu: '1' }, 'none')).toBe(false);
  expect(fitsWithin(pod, { cpu: '1' }, 'unlimited')).toBe(true);
  expect(fitsWithin({ memory: '0' }, { cpu: '1' }, 'none')).toBe(true);
});

test('missingResources() names what does not fit, in order', () => {
  expect(missingResources({ pods: '1', memory: '2Gi', cpu: '1' }, { cpu: '1' }, 'none')).toEqual([
    'memory',
    'pods',
  ]);
});

test('a resource may be named like a property of every object', () => {
  const odd = JSON.parse('{"__proto__":"1","constructor":"2"}');
  const sum = addResources(odd, { cpu: '1' });
  expect(Object.entries(sum)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['cpu', '1'],
  ]);
  expect(fitsWithin({ toString: '1' }, {}, 'none')).toBe(false);
});

test('addResources() names the resource it cannot read, and keeps the cause', () => {
  const attempt = () => addResources({ memory: '1GB' }, {});
  expect(attempt).toThrow('Cannot read resource "memory": "1GB" is not a quantity');
  expect(attempt).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ name: 'QuantityError' }) }),
  );
});
