import { parseLabelSelector } from '@liqo/kube';
import { expect, test } from 'vitest';
import { forgeNamespaceOffloading, type OffloadingWishes } from './forge-namespace-offloading.ts';

const wishes: OffloadingWishes = {
  namespace: 'shop',
  namespaceMappingStrategy: 'DefaultName',
  podOffloadingStrategy: 'LocalAndRemote',
  remoteNamespaceName: undefined,
  selectors: [],
  globalLabels: {},
  globalAnnotations: {},
};

test('forgeNamespaceOffloading() selects every provider unless told which', () => {
  expect(forgeNamespaceOffloading(wishes)).toEqual({
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'NamespaceOffloading',
    metadata: { name: 'offloading', namespace: 'shop' },
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
    status: {},
  });
});

test('forgeNamespaceOffloading() makes a term of each selector, with all that it asks for', () => {
  const selectors = ['region=eu,tier notin (a,b),gpu', '!spot,size>3', 'a!=b'].map(
    parseLabelSelector,
  );
  const { spec } = forgeNamespaceOffloading({ ...wishes, selectors });
  expect(spec.clusterSelector?.nodeSelectorTerms).toEqual([
    {
      matchExpressions: [
        { key: 'gpu', operator: 'Exists' },
        { key: 'region', operator: 'In', values: ['eu'] },
        { key: 'tier', operator: 'NotIn', values: ['a', 'b'] },
      ],
    },
    {
      matchExpressions: [
        { key: 'size', operator: 'Gt', values: ['3'] },
        { key: 'spot', operator: 'DoesNotExist' },
      ],
    },
    { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] },
  ]);
});
