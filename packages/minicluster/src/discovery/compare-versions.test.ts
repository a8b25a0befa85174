import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test('compareVersions() puts stable versions before betas, betas before alphas, and newer before older', () => {
  const expected = ['v10', 'v2', 'v1', 'v11beta2', 'v3beta1', 'v12alpha1', 'v11alpha2'];
  expect(expected.toReversed().toSorted(compareVersions)).toEqual(expected);
});

test('compareVersions() puts what is no version last, by name', () => {
  const expected = ['v1alpha1', 'bar', 'foo1', 'v0', 'v1gamma1'];
  expect(expected.toReversed().toSorted(compareVersions)).toEqual(expected);
});
