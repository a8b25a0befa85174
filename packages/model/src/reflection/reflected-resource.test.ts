import { describe, expect, test } from 'vitest';
import { formatReflectedResource, parseReflectedResource } from './reflected-resource.ts';

const widgets = {
  group: 'example.org',
  version: 'v1',
  plural: 'widgets',
  policy: 'DenyList',
} as const;

describe('parseReflectedResource()', () => {
  test.each([
    ['widgets.v1.example.org', widgets],
    ['widgets.v1.example.org:DenyList', widgets],
    ['widgets.v1.example.org:AllowList', { ...widgets, policy: 'AllowList' }],
    [
      'gateways.v1beta1.gateway.networking.k8s.io',
      { ...widgets, group: 'gateway.networking.k8s.io', version: 'v1beta1', plural: 'gateways' },
    ],
  ] as const)('reads %s', (text, resource) => {
    expect(parseReflectedResource(text)).toEqual(resource);
  });

  test.each([
    '',
    'widgets',
    'widgets.v1',
    'widgets.example.org',
    'deployments.v1.apps',
    'clusterroles.v1.rbac.authorization.k8s.io',
    'shadowpods.v1beta1.offloading.liqo.io',
    'widgets.v1.example.org:Disabled',
    'widgets.v1.example.org/status',
    '../widgets.v1.example.org',
    'widgets.v1.*',
  ])('refuses %j', (text) => {
    expect(parseReflectedResource(text)).toBeUndefined();
  });

  test.each([widgets, { ...widgets, policy: 'AllowList' as const }])(
    'reads what is written of %j',
    (one) => expect(parseReflectedResource(formatReflectedResource(one))).toEqual(one),
  );
});
