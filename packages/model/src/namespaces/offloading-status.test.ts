import type { NamespaceOffloading } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import {
  type OffloadingFacts,
  offloadingStatus,
  providersWithNamespace,
} from './offloading-status.ts';
import type { NamespaceMapping } from './plan-remote-namespace.ts';
import type { Provider } from './select-providers.ts';

const now = '2026-01-02T00:00:00Z';
const offloading: NamespaceOffloading = {
  metadata: { name: 'offloading', namespace: 'shop', generation: 3 },
  spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
};
const terminating: NamespaceOffloading = {
  ...offloading,
  metadata: { ...offloading.metadata, deletionTimestamp: now },
};

function provider(clusterID: string, mapping?: Partial<NamespaceMapping>): Provider {
  const currentMapping = mapping ? { shop: { remoteNamespace: 'shop-rome', ...mapping } } : {};
  return { clusterID, nodes: [], namespaceMap: { spec: {}, status: { currentMapping } } };
}

function facts(
  providers: readonly Provider[],
  extra: Partial<OffloadingFacts> = {},
): OffloadingFacts {
  return {
    namespace: 'shop',
    offloading,
    remoteName: 'shop-rome',
    providers,
    isSelected: () => true,
    now,
    ...extra,
  };
}

const accepted = { phase: 'Accepted' as const };
const refused = { phase: 'CreationLoopBackOff' as const, reason: 'NamespaceTaken', message: 'm' };

describe('offloadingStatus()', () => {
  test('bounds what a provider says', () => {
    const hostile = { reason: 'R'.repeat(500), message: `no\u001b[2J${'é'.repeat(5_000)}` };
    const status = offloadingStatus(facts([provider('milan', { ...refused, ...hostile })]));
    const ready = status.remoteNamespacesConditions?.milan?.find(({ type }) => type === 'Ready');
    expect(new TextEncoder().encode(ready?.message).length).toBeLessThanOrEqual(1024);
    expect(ready?.message).toMatch(/^no \[2Jé+…$/);
    expect(ready?.reason?.length).toBeLessThanOrEqual(128);
  });

  test('says what Liqo v1.2.0 says where all is well', () => {
    expect(offloadingStatus(facts([provider('milan', accepted)]))).toEqual({
      observedGeneration: 3,
      offloadingPhase: 'Ready',
      remoteNamespaceName: 'shop-rome',
      remoteNamespacesConditions: {
        milan: [
          {
            lastTransitionTime: now,
            message: 'The remote cluster has been selected through the ClusterSelector field',
            reason: 'ClusterSelected',
            status: 'True',
            type: 'OffloadingRequired',
          },
          {
            lastTransitionTime: now,
            message: 'Namespace correctly offloaded to the remote cluster',
            reason: 'NamespaceCreated',
            status: 'True',
            type: 'Ready',
          },
        ],
      },
    });
  });

  test.each<[string, OffloadingFacts]>([
    ['NoClusterSelected', facts([])],
    ['NoClusterSelected', facts([provider('milan')], { isSelected: () => false })],
    ['Ready', facts([provider('milan', accepted), provider('oslo', accepted)])],
    ['InProgress', facts([provider('milan', accepted), provider('oslo')])],
    ['InProgress', facts([provider('milan', { phase: 'Terminating' })])],
    ['InProgress', facts([provider('milan', { phase: 'Accepted', reason: 'Terminating' })])],
    ['SomeFailed', facts([provider('milan', accepted), provider('oslo', refused)])],
    ['AllFailed', facts([provider('milan', refused)])],
    ['Terminating', facts([provider('milan', accepted)], { offloading: terminating })],
    [
      'Ready',
      facts([provider('milan', accepted), provider('oslo')], {
        isSelected: ({ clusterID }) => clusterID === 'milan',
      }),
    ],
  ])('is %s', (phase, known) => {
    expect(offloadingStatus(known).offloadingPhase).toBe(phase);
  });

  test('says why a namespace cannot have a name, at every provider that should have it', () => {
    const fault = { reason: 'InvalidRemoteName', message: 'm' };
    const { remoteNamespaceName, ...status } = offloadingStatus(
      facts([provider('milan')], { remoteName: undefined, fault }),
    );
    expect(remoteNamespaceName).toBeUndefined();
    expect(status.offloadingPhase).toBe('AllFailed');
    expect(status.remoteNamespacesConditions?.milan).toContainEqual(expect.objectContaining(fault));
  });

  test.each<[string, Partial<NamespaceMapping> | undefined, string]>([
    ['a refusal with its reason', refused, 'NamespaceTaken'],
    ['a refusal that gives none', { phase: 'CreationLoopBackOff' }, 'CreationLoopBackOff'],
    ['a namespace that is being deleted', { phase: 'Terminating' }, 'Terminating'],
    [
      'a namespace that is deleted and created again',
      { phase: 'Accepted', reason: 'Terminating' },
      'Terminating',
    ],
    ['nothing yet', undefined, 'Creating'],
  ])('hands on %s', (_, mapping, reason) => {
    const status = offloadingStatus(facts([provider('milan', mapping)]));
    const ready = status.remoteNamespacesConditions?.milan?.find(({ type }) => type === 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason, message: expect.any(String) });
  });

  test('forgets a provider when the namespace is gone there, and not before', () => {
    const gone = { offloading: terminating, isSelected: () => false };
    const conditions = (mapping?: Partial<NamespaceMapping>) =>
      offloadingStatus(facts([provider('milan', mapping)], gone)).remoteNamespacesConditions;
    expect(conditions()).toEqual({});
    expect(Object.keys(conditions({ phase: 'Terminating' }) ?? {})).toEqual(['milan']);
  });

  test('has nothing new to say the second time', () => {
    const known = facts([provider('milan', accepted), provider('oslo', refused)]);
    const status = offloadingStatus(known);
    const later = '2027-01-01T00:00:00Z';
    expect(
      offloadingStatus({ ...known, offloading: { ...offloading, status }, now: later }),
    ).toEqual(status);
  });
});

test('providersWithNamespace() names those that have something of it', () => {
  const providers = [provider('milan', { phase: 'Terminating' }), provider('oslo')];
  expect(providersWithNamespace('shop', providers)).toEqual(['milan']);
  expect(providersWithNamespace('bar', providers)).toEqual([]);
});
