import { expect, test } from 'vitest';
import { ClusterRoutes } from './cluster-routes.ts';

test('ClusterRoutes knows the machines behind addresses on paper, and no others', () => {
  const routes = new ClusterRoutes();
  routes.add('10.244.1.0/24', '127.0.0.1');
  routes.add('10.244.2.0/24', '127.0.0.2');
  expect(routes.machineOf('10.244.2.7')).toBe('127.0.0.2');
  expect(routes.machineOf('10.244.3.7')).toBeUndefined();
  expect(routes.machineOf('fd00::1')).toBeUndefined();
  expect(routes.machineOf('')).toBeUndefined();
  expect(routes.isMachine('127.0.0.1')).toBe(true);
  expect(routes.isMachine('127.0.0.3')).toBe(false);
});
