import { expect, test } from 'vitest';
import type { ApiCall } from './api-call.ts';
import { findCarelessWrites } from './careless-writes.ts';

function call(verb: string, body: object, resource = 'pods', how = 'merge'): ApiCall {
  return {
    who: 'rome',
    verb,
    resource,
    method: 'POST',
    path: '/',
    namespace: 'shop',
    name: 'web',
    attempt: 1,
    headers: { 'content-type': `application/${how}-patch+json` },
    body: JSON.stringify(body),
  };
}

const preconditions = { uid: 'u1' };
const metadata = { resourceVersion: '7' };

test.each<[string, ApiCall]>([
  ['a deletion of that very object', call('delete', { preconditions })],
  [
    'an eviction of that very pod',
    call('create', { deleteOptions: { preconditions } }, 'pods/eviction'),
  ],
  ['an update of what was seen', call('update', { metadata })],
  ['a patch of a list that was seen', call('patch', { metadata: { ...metadata, finalizers: [] } })],
  ['a patch of a single value', call('patch', { metadata: { labels: { a: 'b' } } })],
  ['what is applied', call('patch', { spec: { containers: [] } }, 'pods', 'apply')],
  ['a creation', call('create', { spec: { containers: [] } })],
])('findCarelessWrites() has nothing against %s', (_, good) => {
  expect(findCarelessWrites([good])).toEqual([]);
});

test.each<[string, ApiCall, string]>([
  ['a deletion by name', call('delete', {}), 'does not say whom'],
  ['an eviction by name', call('create', {}, 'pods/eviction'), 'does not say whom'],
  ['an update of whatever is there', call('update', {}), 'does not say what it has seen'],
  ['a new list', call('patch', { status: { conditions: [] } }), 'does not say what it has seen'],
])('findCarelessWrites() finds %s, and says so once', (_, bad, why) => {
  const found = findCarelessWrites([bad, bad]);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(why);
});
