import { expect, test } from 'vitest';
import { readMetadata } from './read-metadata.ts';

const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1' };

test.each([
  [
    'labels that no API server keeps',
    { labels: { a: 'b', c: 5, 'd e': 'f', g: 'h i', j: 'k'.repeat(64) } },
    { labels: { a: 'b' } },
  ],
  ['labels that are no object', { labels: ['a'] }, {}],
  ['annotations that are no text', { annotations: { a: 'b', c: {} } }, { annotations: { a: 'b' } }],
  ['a deletion without a time', { deletionTimestamp: null, deletionGracePeriodSeconds: -1 }, {}],
  [
    'owners',
    { ownerReferences: [{ uid: 'o', controller: true, name: 'x' }, 'owner'] },
    { ownerReferences: [{ uid: 'o', controller: true, name: 'x' }] },
  ],
  ['finalizers', { finalizers: ['a', 5] }, { finalizers: ['a'] }],
])('readMetadata() reads %s', (_, value, expected) => {
  expect(readMetadata({ ...metadata, ...value })).toEqual({ ...metadata, ...expected });
});

test('readMetadata() keeps 256 KiB of annotations, as Kubernetes does', () => {
  const annotations = { small: 'a', large: 'b'.repeat(2 ** 20), other: 'c' };
  expect(readMetadata({ ...metadata, annotations })?.annotations).toEqual({ small: 'a' });
});

test.each([
  ['no object', 'web'],
  ['without a name', { ...metadata, name: undefined }],
  ['with a name that is no name', { ...metadata, name: '../web' }],
  ['with a version that is no text', { ...metadata, resourceVersion: 5 }],
])('readMetadata() of what is %s is undefined', (_, value) => {
  expect(readMetadata(value)).toBeUndefined();
});
