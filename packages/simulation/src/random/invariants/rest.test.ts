import type { ApiCall } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { findRestless } from './rest.ts';

function calls(times: number, verb: string, resource: string, name = 'v1'): ApiCall[] {
  const call: ApiCall = {
    who: 'rome',
    verb,
    resource,
    namespace: 'shop',
    name,
    method: verb === 'get' ? 'GET' : 'PATCH',
    path: '/',
    attempt: 1,
  };
  return Array.from({ length: times }, () => call);
}

const renew = (times: number, name?: string) =>
  calls(times, 'update', 'leases.coordination.k8s.io', name);

test('findRestless() has nothing against signs of life, of each as often as is usual', () => {
  const reads = calls(100, 'get', 'pods');
  const signs = [...renew(8), ...renew(8, 'v2'), ...calls(1, 'patch', 'nodes/status')];
  expect(findRestless([...reads, ...signs])).toEqual([]);
});

test.each([
  ['a lease that is renewed too often', renew(9), 'leases.coordination.k8s.io shop/v1, 9 times'],
  ['a node that repeats itself', calls(2, 'patch', 'nodes/status'), 'nodes/status shop/v1'],
  ['a second repair', calls(2, 'create', 'configmaps'), 'create configmaps shop/v1, 2 times'],
  ['a new event', calls(1, 'create', 'events.events.k8s.io'), 'shop/v1, 1 times'],
  ['an event that goes on', calls(4, 'patch', 'events.events.k8s.io'), 'shop/v1, 4 times'],
  ['any other write', calls(1, 'patch', 'pods/status'), 'pods/status shop/v1, 1 times'],
  ['a lease that is deleted', calls(1, 'delete', 'leases.coordination.k8s.io'), 'delete leases'],
])('findRestless() finds %s, and says so once', (_, restless, what) => {
  const found = findRestless(restless);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(what);
});
