import { describe, expect, test } from 'vitest';
import { isReservedAtProvider, whyNotOffloadable } from './reserved-namespaces.ts';

const tenant = { 'liqo.io/tenant-namespace': 'true' };

describe('whyNotOffloadable()', () => {
  test.each([
    ['kube-system', {}, 'namespace of Kubernetes'],
    ['kube-flannel', {}, 'namespace of Kubernetes'],
    ['liqo-system', {}, 'Liqo itself is installed'],
    ['liqo-tenant-milan', tenant, 'tenant namespace'],
    ['peer', tenant, 'tenant namespace'],
  ])('refuses "%s" with the labels %j', (name, labels, why) => {
    expect(whyNotOffloadable({ name, labels }, 'liqo-system')).toContain(why);
  });

  test.each(['liqo-demo', 'liqo', 'liqo-tenant-milan', 'default', 'kubernetes', 'kube', 'shop'])(
    'permits "%s" without labels, where Liqo is installed in another namespace',
    (name) => expect(whyNotOffloadable({ name }, 'liqo-system')).toBeUndefined(),
  );
});

describe('isReservedAtProvider()', () => {
  test.each(['default', 'kube-system', 'kube-evil', 'liqo-system', 'liqo-tenant-oslo'])(
    'is true for "%s"',
    (name) => expect(isReservedAtProvider(name, 'liqo-system')).toBe(true),
  );

  test.each(['liqo-demo', 'liqo', 'liqo-tenants', 'kubernetes', 'default-rome'])(
    'is false for "%s"',
    (name) => expect(isReservedAtProvider(name, 'liqo-system')).toBe(false),
  );
});
