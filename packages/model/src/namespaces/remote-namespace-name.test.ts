import type { NamespaceOffloading } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { remoteNamespaceName } from './remote-namespace-name.ts';

type Spec = NonNullable<NamespaceOffloading['spec']>;
const spec = (
  namespaceMappingStrategy: Spec['namespaceMappingStrategy'],
  remoteNamespaceName?: string,
): Spec => ({
  namespaceMappingStrategy,
  podOffloadingStrategy: 'Remote',
  ...(remoteNamespaceName !== undefined && { remoteNamespaceName }),
});

describe('remoteNamespaceName()', () => {
  test.each([
    ['DefaultName', undefined, 'shop-rome'],
    ['EnforceSameName', undefined, 'shop'],
    ['SelectedName', 'market', 'market'],
    ['DefaultName', 'ignored', 'shop-rome'],
  ] as const)('%s with "%s" is "%s"', (strategy, chosen, name) => {
    expect(remoteNamespaceName('shop', spec(strategy, chosen), 'rome')).toEqual({
      type: 'name',
      name,
    });
  });

  test.each([
    ['no name selected', 'shop', spec('SelectedName'), 'NoRemoteName'],
    ['an empty one', 'shop', spec('SelectedName', ''), 'NoRemoteName'],
    ['one that is none', 'shop', spec('SelectedName', 'Not_A_Name'), 'InvalidRemoteName'],
    ['one that gets too long', 'n'.repeat(59), spec('DefaultName'), 'InvalidRemoteName'],
  ] as const)('says what to do about %s', (_, namespace, wish, reason) => {
    const name = remoteNamespaceName(namespace, wish, 'rome');
    expect(name).toMatchObject({ type: 'fault', reason });
    expect(name).toHaveProperty('message', expect.stringContaining('SelectedName'));
  });
});
