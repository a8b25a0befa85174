import { expect, test } from 'vitest';
import { HttpRefusal } from './http-refusal.ts';
import { parseRoute } from './route.ts';

const refusalOf = (method: string, target: string) => {
  try {
    return parseRoute(method, target);
  } catch (error) {
    return error instanceof HttpRefusal ? error.code : error;
  }
};

test.each([
  ['GET', '/healthz', { type: 'healthz' }],
  ['GET', '/pods', { type: 'pods', running: false }],
  ['GET', '/runningpods/', { type: 'pods', running: true }],
  ['GET', '/stats/summary?only_cpu_and_memory=true', { type: 'stats' }],
  ['GET', '/metrics/resource', { type: 'metrics', page: 'metrics/resource' }],
  [
    'GET',
    '/containerLogs/shop/web.v1/main?follow=true',
    { type: 'logs', namespace: 'shop', pod: 'web.v1', container: 'main' },
  ],
  [
    'POST',
    '/exec/shop/web/main?command=ls&output=1',
    { type: 'stream', verb: 'exec', namespace: 'shop', pod: 'web', container: 'main' },
  ],
  ['GET', '/attach/shop/web/main', { type: 'stream', verb: 'attach' }],
  ['POST', '/portForward/shop/web', { type: 'stream', verb: 'portforward' }],
])('parseRoute() knows %s %s', (method, target, route) => {
  expect(parseRoute(method, target)).toMatchObject(route);
});

test.each([
  ['GET', '', 400],
  ['GET', '*', 400],
  ['GET', 'https://node/pods', 400],
  ['GET', '/', 404],
  ['GET', '//pods', 404],
  ['GET', '/pods/../metrics', 404],
  ['GET', '/metrics/../../api', 404],
  ['GET', '/metrics/%2e%2e/secrets', 400],
  ['GET', '/metrics/cadvisor/', 404],
  ['GET', '/metrics/cadvisor%00', 400],
  ['GET', '/metrics/cadvisor\0', 400],
  ['GET', '/metrics\\cadvisor', 400],
  ['GET', '/metrics;x=1', 400],
  ['GET', '/logs/', 404],
  ['GET', '/run/shop/web/main', 404],
  ['GET', '/debug/pprof/', 404],
  ['GET', '/containerLogs/shop/web', 404],
  ['GET', '/containerLogs/shop/web/main/more', 404],
  ['GET', '/containerLogs/../web/main', 404],
  ['GET', '/containerLogs/shop/../main', 404],
  ['GET', '/containerLogs/shop/web/..', 404],
  ['GET', '/containerLogs//web/main', 404],
  ['GET', '/containerLogs/Shop/web/main', 404],
  ['GET', `/containerLogs/shop/${'a'.repeat(254)}/main`, 404],
  ['GET', '/portForward/shop/web/main', 404],
  ['POST', '/pods', 405],
  ['DELETE', '/exec/shop/web/main', 405],
])('parseRoute() refuses %s %s with %i', (method, target, code) => {
  expect(refusalOf(method, target)).toBe(code);
});
