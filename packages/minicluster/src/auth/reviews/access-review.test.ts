import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { ApiRequest } from '../../rest/api-request.ts';
import type { Access, Authorizer } from '../access.ts';
import { reviewAccess, reviewLocalAccess, reviewSelfAccess } from './access-review.ts';

const jane = { name: 'jane', groups: ['team'], extra: {} };
const request = { user: jane } as unknown as ApiRequest;
const pods = { namespace: 'shop', verb: 'get', resource: 'pods' };

function ask(review: (authorizer: Authorizer) => ReturnType<typeof reviewAccess>, object: object) {
  let asked: Access | undefined;
  const authorizer: Authorizer = {
    authorize: (access) => {
      asked = access;
      return { allowed: true, reason: 'because' };
    },
  };
  const answer = review(authorizer)(object as KubeObject, request);
  return { asked, answer: answer as { spec: object; status: object } };
}

test('reviewAccess() asks about the user of the review', () => {
  const spec = {
    user: 'john',
    uid: '7',
    groups: ['other'],
    extra: { scopes: ['x'] },
    resourceAttributes: { ...pods, group: 'apps', subresource: 'log', name: 'web', version: 'v1' },
  };
  const { asked, answer } = ask(reviewAccess, { spec });
  expect(asked).toEqual({
    user: { name: 'john', uid: '7', groups: ['other'], extra: { scopes: ['x'] } },
    verb: 'get',
    resource: { group: 'apps', plural: 'pods', subresource: 'log', namespace: 'shop', name: 'web' },
    path: '',
  });
  expect(answer).toEqual({ spec, status: { allowed: true, reason: 'because' } });
});

test('reviewAccess() asks about paths', () => {
  const spec = { user: 'john', nonResourceAttributes: { verb: 'get', path: '/metrics' } };
  expect(ask(reviewAccess, { spec }).asked).toMatchObject({
    verb: 'get',
    resource: undefined,
    path: '/metrics',
  });
});

test('reviewSelfAccess() asks about whoever asks', () => {
  expect(ask(reviewSelfAccess, { spec: { resourceAttributes: pods } }).asked?.user).toBe(jane);
});

test.each([
  ['no target', reviewSelfAccess, { spec: {} }, 'exactly one of'],
  [
    'two targets',
    reviewSelfAccess,
    { spec: { resourceAttributes: pods, nonResourceAttributes: {} } },
    'cannot be specified in combination',
  ],
  ['nobody', reviewAccess, { spec: { resourceAttributes: pods } }, 'at least one of user or group'],
  [
    'a name',
    reviewAccess,
    { metadata: { name: 'x' }, spec: { user: 'john', resourceAttributes: pods } },
    'metadata: Invalid value: {"name":"x"}: must be empty',
  ],
  [
    'a name in a namespace',
    reviewLocalAccess,
    {
      metadata: { name: 'x', namespace: 'shop' },
      spec: { user: 'john', resourceAttributes: pods },
    },
    'must be empty except for namespace',
  ],
  [
    'another namespace',
    reviewLocalAccess,
    { metadata: { namespace: 'other' }, spec: { user: 'john', resourceAttributes: pods } },
    'spec.resourceAttributes.namespace: Invalid value: "shop": must match metadata.namespace',
  ],
  [
    'a path in a namespace',
    reviewLocalAccess,
    {
      metadata: { namespace: 'shop' },
      spec: { user: 'john', nonResourceAttributes: { path: '/' } },
    },
    'disallowed on this kind of request',
  ],
])('a review of %s is invalid', (_, review, object, message) => {
  expect(() => ask(review, object)).toThrow(message);
});

test('managedFields do not count as a name', () => {
  const metadata = { managedFields: [{ manager: 'kubectl' }] };
  const spec = { resourceAttributes: pods };
  expect(ask(reviewSelfAccess, { metadata, spec }).answer).toMatchObject({
    metadata,
    status: { allowed: true },
  });
});
