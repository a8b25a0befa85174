import { describe, expect, test } from 'vitest';
import { checkClusterSelector, selectsProvider } from './select-providers.ts';

const provider = (...zones: string[]) => ({
  clusterID: 'milan',
  namespaceMap: undefined,
  nodes: zones.map((zone) => ({ metadata: { name: zone, labels: { zone } } })),
});
const inZone = (zone: string) => ({
  nodeSelectorTerms: [
    { matchExpressions: [{ key: 'zone', operator: 'In' as const, values: [zone] }] },
  ],
});

describe('selectsProvider()', () => {
  test.each([
    ['every provider without a selector', undefined, provider('north'), true],
    ['every provider with an empty one', { nodeSelectorTerms: [] }, provider('north'), true],
    ['no provider without virtual nodes', undefined, provider(), false],
    ['one whose node matches', inZone('north'), provider('north'), true],
    [
      'one of whose nodes any matches, in whatever order',
      inZone('north'),
      provider('south', 'north'),
      true,
    ],
    ['none of whose nodes none matches', inZone('north'), provider('south'), false],
  ])('picks %s', (_, selector, one, picked) => {
    expect(selectsProvider(selector, one)).toBe(picked);
  });
});

test('checkClusterSelector() finds fault with what means nothing', () => {
  expect(checkClusterSelector(undefined)).toEqual([]);
  expect(checkClusterSelector(inZone('north'))).toEqual([]);
  const nonsense = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' as const }] }],
  };
  expect(checkClusterSelector(nonsense)).not.toEqual([]);
});
