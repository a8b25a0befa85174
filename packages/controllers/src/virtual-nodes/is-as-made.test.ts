import { describe, expect, test } from 'vitest';
import { isAsMade } from './is-as-made.ts';

describe('isAsMade()', () => {
  test.each([
    ['the same', { a: 1 }, { a: 1 }],
    ['what a server adds', { a: 1, added: 'default' }, { a: 1 }],
    ['what a server adds within a list', [{ name: 'x', added: 1 }], [{ name: 'x' }]],
    ['what a server leaves out', {}, { text: '', flag: false, nothing: null, list: [], map: {} }],
    [
      'a quantity in another spelling',
      { cpu: '1', memory: '1Gi' },
      { cpu: '1000m', memory: '1024Mi' },
    ],
    [
      'a sidecar of others',
      { containers: [{ name: 'x' }, { name: 'y' }] },
      { containers: [{ name: 'y' }] },
    ],
    ['a quantity as a number', { cpu: '2' }, { cpu: 2 }],
  ])('sees no change in %s', (_, actual, wanted) => {
    expect(isAsMade(actual, wanted)).toBe(true);
  });

  test.each([
    ['another value', { image: 'a' }, { image: 'b' }],
    ['a flag that somebody raised', { privileged: true }, { privileged: false }],
    ['a missing value', {}, { image: 'a' }],
    ['a list that is longer', ['a', 'b'], ['a']],
    ['a list in another order', ['b', 'a'], ['a', 'b']],
    ['a list that is gone', {}, { args: ['a'] }],
    ['another quantity', { cpu: '1' }, { cpu: '1001m' }],
    [
      'an image',
      { containers: [{ name: 'x', image: 'b' }] },
      { containers: [{ name: 'x', image: 'a' }] },
    ],
    [
      'somebody else who was let in',
      { subjects: [{ name: 'x' }, { name: 'y' }] },
      { subjects: [{ name: 'x' }] },
    ],
    ['replicas that were scaled', { replicas: 0 }, { replicas: 1 }],
  ])('sees %s', (_, actual, wanted) => {
    expect(isAsMade(actual, wanted)).toBe(false);
  });
});
