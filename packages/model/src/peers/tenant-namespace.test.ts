import type { Namespace, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import {
  findTenantNamespace,
  forgeTenantNamespace,
  whyNotInTenantNamespace,
} from './tenant-namespace.ts';

function stored(
  name: string,
  marks: Readonly<Record<string, string>>,
  creationTimestamp = '2026-01-01T00:00:00Z',
): Stored<Namespace> {
  const metadata = { name, labels: marks, creationTimestamp, uid: name, resourceVersion: '1' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}

const ofMilan = { 'liqo.io/tenant-namespace': 'true', 'liqo.io/remote-cluster-id': 'milan' };

test('forgeTenantNamespace() labels the namespace for the peer and for Pod Security', () => {
  const { metadata } = forgeTenantNamespace('milan');
  expect(metadata).toEqual({
    name: 'liqo-tenant-milan',
    labels: { ...ofMilan, 'pod-security.kubernetes.io/enforce': 'restricted' },
  });
  expect(findTenantNamespace('milan', [stored('x', metadata?.labels ?? {})])).toBe('x');
});

describe('findTenantNamespace()', () => {
  test('finds a namespace of any name by its labels', () => {
    const all = [stored('liqo-tenant-milan', {}), stored('other', ofMilan)];
    expect(findTenantNamespace('milan', all)).toBe('other');
  });

  test.each([
    ['without the label of tenant namespaces', { 'liqo.io/remote-cluster-id': 'milan' }],
    ['whose label is not "true"', { ...ofMilan, 'liqo.io/tenant-namespace': 'false' }],
    ['of another peer', { ...ofMilan, 'liqo.io/remote-cluster-id': 'turin' }],
  ])('finds no namespace %s, whatever its name', (_, marks) => {
    expect(findTenantNamespace('milan', [stored('liqo-tenant-milan', marks)])).toBeUndefined();
  });

  test('finds the oldest of several, and the first by name of those of one second', () => {
    const young = stored('a', ofMilan, '2026-02-01T00:00:00Z');
    const [c, b] = [stored('c', ofMilan), stored('b', ofMilan)];
    expect(findTenantNamespace('milan', [young, c, b])).toBe('b');
    expect(findTenantNamespace('milan', [b, c, young])).toBe('b');
  });
});

describe('whyNotInTenantNamespace()', () => {
  const all = [stored('liqo-tenant-milan', ofMilan)];

  test('has no objection to the tenant namespace of the peer', () => {
    const place = { namespace: 'liqo-tenant-milan', peer: 'milan' };
    expect(whyNotInTenantNamespace(place, all)).toBeUndefined();
  });

  test('names the tenant namespace for an object elsewhere', () => {
    const why = whyNotInTenantNamespace({ namespace: 'shop', peer: 'milan' }, all);
    expect(why).toBe('the tenant namespace of "milan" is "liqo-tenant-milan"');
  });

  test('names the labels for a peer that has no tenant namespace', () => {
    const why = whyNotInTenantNamespace({ namespace: 'liqo-tenant-milan', peer: 'turin' }, all);
    expect(why).toBe(
      'the namespace "liqo-tenant-milan" does not have the labels liqo.io/tenant-namespace=true and liqo.io/remote-cluster-id=turin',
    );
  });
});
