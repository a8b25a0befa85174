import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { ApiRequest } from './api-request.ts';
import { atAddressOf } from './object-address.ts';
import type { Resource } from './resource.ts';

type Metadata = KubeObject['metadata'];

function placed(path: { namespace?: string; name?: string } | undefined, metadata: Metadata) {
  const request = { info: { resource: path } } as unknown as ApiRequest;
  const resource = { namespaced: path?.namespace !== undefined } as Resource;
  return atAddressOf(request, resource, { metadata: metadata ?? {} }).metadata;
}

test.each<[string, Parameters<typeof placed>[0], Metadata, Metadata]>([
  ['what is in place', { namespace: 'a', name: 'x' }, { namespace: 'a', name: 'x' }, undefined],
  ['a new object without a name', { namespace: 'a' }, { namespace: 'a' }, undefined],
  ['what has no place', undefined, { namespace: 'b', name: 'y' }, undefined],
  [
    'what does not say its namespace',
    { namespace: 'a', name: 'x' },
    { name: 'x' },
    { namespace: 'a', name: 'x' },
  ],
  [
    'what is in no namespace and says it was',
    { name: 'x' },
    { namespace: 'b', name: 'x' },
    { name: 'x' },
  ],
])('atAddressOf() puts %s where its path says', (_, path, metadata, expected) => {
  expect(placed(path, metadata)).toEqual(expected ?? metadata);
});

test.each([
  [
    { namespace: 'b', name: 'x' },
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    { namespace: 'a', name: 'y' },
    'the name of the object (y) does not match the name on the URL (x)',
  ],
  [{}, 'the name of the object (x based on URL) was undeterminable: name must be provided'],
])('atAddressOf() refuses %j at a/x', (metadata, message) => {
  expect(() => placed({ namespace: 'a', name: 'x' }, metadata)).toThrow(message);
});
