import { expect, test } from 'vitest';
import { compareLevels, printPolicy, readPolicy } from './policy.ts';

const labelled = (levels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(levels).map(([mode, level]) => [`pod-security.kubernetes.io/${mode}`, level]),
  );

test.each([
  ['nothing', {}, ['privileged:latest', 'privileged:latest', 'privileged:latest']],
  ['enforce', { enforce: 'baseline' }, ['baseline:latest', 'privileged:latest', 'baseline:latest']],
  [
    'enforce with a version',
    { enforce: 'restricted', 'enforce-version': 'v1.29' },
    ['restricted:v1.29', 'privileged:latest', 'restricted:v1.29'],
  ],
  [
    'a version to warn of',
    { enforce: 'baseline', 'warn-version': 'v1.30' },
    ['baseline:latest', 'privileged:latest', 'baseline:v1.30'],
  ],
  [
    'another level to warn of',
    { enforce: 'restricted', warn: 'baseline' },
    ['restricted:latest', 'privileged:latest', 'baseline:latest'],
  ],
  [
    'audit',
    { audit: 'restricted' },
    ['privileged:latest', 'restricted:latest', 'privileged:latest'],
  ],
  [
    'nonsense to enforce',
    { enforce: 'x' },
    ['restricted:latest', 'privileged:latest', 'privileged:latest'],
  ],
  [
    'nonsense to warn of',
    { warn: 'x' },
    ['privileged:latest', 'privileged:latest', 'privileged:latest'],
  ],
])('readPolicy() of %s', (_, levels, expected) => {
  const { enforce, audit, warn } = readPolicy(labelled(levels as Record<string, string>)).policy;
  expect([enforce, audit, warn].map(printPolicy)).toEqual(expected);
});

test('readPolicy() says what is wrong with labels', () => {
  const { problems } = readPolicy(labelled({ audit: 'x', 'enforce-version': 'v1.01' }));
  expect(problems.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "v1.01": must be "latest" or "v1.x"',
    'metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "x": must be one of privileged, baseline, restricted',
  ]);
});

test('compareLevels() tells which is the stricter', () => {
  expect(compareLevels('restricted', 'baseline')).toBeGreaterThan(0);
  expect(compareLevels('privileged', 'baseline')).toBeLessThan(0);
});
