import { describe, expect, test } from 'vitest';
import { fractionalCounts, isCountedResource, isWholeQuantity } from './counted-resources.ts';

describe('isCountedResource()', () => {
  test.each(['pods', 'nvidia.com/gpu', 'requests.nvidia.com/gpu', 'services', 'example.com/cpu'])(
    'is true for %s',
    (name) => expect(isCountedResource(name)).toBe(true),
  );

  test.each([
    'cpu',
    'memory',
    'storage',
    'ephemeral-storage',
    'hugepages-2Mi',
    'requests.cpu',
    'limits.memory',
    'requests.hugepages-1Gi',
  ])('is false for %s', (name) => expect(isCountedResource(name)).toBe(false));
});

describe('isWholeQuantity()', () => {
  test.each([0, 110, '0', '4', '1k', '1.5k', '1Ki', '1e3', '1000m', '5.0'])(
    'is true for %j',
    (text) => expect(isWholeQuantity(text)).toBe(true),
  );

  test.each(['1.5', '.5', '500m', '1500m', '5e-1', '1u'])('is false for %j', (text) =>
    expect(isWholeQuantity(text)).toBe(false),
  );
});

test('fractionalCounts() names the counted resources that are not whole, in order', () => {
  const resources = { pods: '1.5', cpu: '500m', 'nvidia.com/gpu': 2, 'example.com/a': '1m' };
  expect(fractionalCounts(resources)).toEqual(['example.com/a', 'pods']);
  expect(fractionalCounts({ cpu: '1.5', memory: '1.5Gi', pods: 110 })).toEqual([]);
});
