import { expect, test } from 'vitest';
import { translateAntiAffinity, translateSpread, withoutMergedKeys } from './merged-label-keys.ts';

const merged = {
  topologyKey: 'zone',
  labelSelector: { matchExpressions: [{ key: 'h', operator: 'In', values: ['1'] }] },
};

test('withoutMergedKeys() drops the keys that the selector already stands for', () => {
  const term = { ...merged, matchLabelKeys: ['h'], mismatchLabelKeys: ['h'] };
  expect(withoutMergedKeys(term)).toEqual(merged);
});

test('withoutMergedKeys() keeps the keys that an older API server has left alone', () => {
  const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } };
  const withKeys = { ...term, matchLabelKeys: ['h'], mismatchLabelKeys: ['t'] };
  expect(withoutMergedKeys(withKeys)).toEqual(withKeys);
});

test('translateSpread() treats every constraint so', () => {
  const constraint = { ...merged, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const };
  expect(translateSpread([{ ...constraint, matchLabelKeys: ['h'] }])).toEqual([constraint]);
});

test('translateAntiAffinity() treats every term so', () => {
  const term = { ...merged, matchLabelKeys: ['h'] };
  const translated = translateAntiAffinity({
    requiredDuringSchedulingIgnoredDuringExecution: [term],
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
  });
  expect(translated).toEqual({
    requiredDuringSchedulingIgnoredDuringExecution: [merged],
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: merged }],
  });
});
