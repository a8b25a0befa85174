import { expect, test } from 'vitest';
import { pickField } from './pick-field.ts';

const document = {
  local: { clusterID: 'rome', labels: {}, version: '' },
  health: { healthy: false },
};

test.each([
  ['clusterid', 'rome'],
  ['CLUSTERID', 'rome'],
  ['Local.ClusterId', 'rome'],
  ['health.healthy', false],
  ['health', { healthy: false }],
])('pickField() finds %s', (path, value) => {
  expect(pickField(document, path)).toEqual(value);
});

test.each([
  '',
  'local.',
  'local.version',
  'local.labels',
  'local.clusterID.x',
  'nope',
  '__proto__',
])('pickField() finds nothing at "%s"', (path) => {
  expect(pickField(document, path)).toBeUndefined();
});
