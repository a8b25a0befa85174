import { expect, test } from 'vitest';
import {
  apiServerAddresses,
  apiServerAlias,
  maxClusters,
  maxNodes,
  nodeAddress,
  nodePods,
  planAddresses,
} from './address-plan.ts';

const indices = Array.from({ length: maxClusters }, (_, index) => index);

test('planAddresses() gives no two clusters the same machines or pods', () => {
  const plans = indices.map(planAddresses);
  expect(new Set(plans.map(({ machines }) => machines)).size).toBe(maxClusters);
  expect(new Set(plans.map(({ pods }) => pods)).size).toBe(maxClusters);
});

test('planAddresses() gives every machine of a cluster an address of its own', () => {
  const plan = planAddresses(7);
  const nodes = Array.from({ length: maxNodes }, (_, nth) => nodeAddress(plan, nth));
  const aliases = indices.map((index) => apiServerAlias(plan, { index }));
  const all = [plan.apiServer, plan.host, ...nodes, ...aliases];
  expect(new Set(all).size).toBe(all.length);
  expect(
    all.filter((address) => !/^198\.18\.7\.([1-9]|\d\d|1\d\d|2[0-4]\d|25[0-4])$/.test(address)),
  ).toEqual([]);
});

test('nodePods() is a part of the cluster for every node', () => {
  expect(nodePods(planAddresses(7), 0)).toBe('10.135.0.0/24');
  expect(nodePods(planAddresses(99), 99)).toBe('10.227.99.0/24');
});

test('apiServerAddresses() has what every other cluster calls the API server', () => {
  const plan = planAddresses(3);
  expect(apiServerAddresses(plan)).toContain('198.18.3.1');
  expect(apiServerAddresses(plan)).toContain(apiServerAlias(plan, planAddresses(99)));
});
