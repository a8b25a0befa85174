import { describe, expect, test } from 'vitest';
import { annotations } from './annotations.ts';
import { finalizers } from './finalizers.ts';
import { labels } from './labels.ts';

const qualifiedName = /^([a-z0-9]+[.-])*[a-z0-9]+\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

describe.each([
  ['labels', labels],
  ['annotations', annotations],
  ['finalizers', finalizers],
])('%s', (_, vocabulary) => {
  const keys = Object.values(vocabulary);

  test.each(keys)('%s is a key of ours that Kubernetes admits', (key) => {
    expect(key).toMatch(qualifiedName);
    expect(key).toMatch(/(^|\.)liqo\.io\//);
  });

  test('have one name each', () => {
    expect(new Set(keys).size).toBe(keys.length);
  });
});
