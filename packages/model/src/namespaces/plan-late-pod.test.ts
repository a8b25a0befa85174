import { labels, type NamespaceOffloading, virtualNodeToleration } from '@liqo/api';
import type { Node, Pod, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { planLatePod } from './plan-late-pod.ts';

type PodSpec = NonNullable<Pod['spec']>;
type Strategy = 'Local' | 'LocalAndRemote' | 'Remote';

const created = '2030-01-01T00:00:10Z';
const clusterSelector = {
  nodeSelectorTerms: [
    { matchExpressions: [{ key: 'zone', operator: 'In' as const, values: ['a'] }] },
  ],
};

function offloading(
  podOffloadingStrategy: Strategy,
  selector?: typeof clusterSelector,
): Stored<NamespaceOffloading> {
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'NamespaceOffloading',
    metadata: {
      namespace: 'shop',
      name: 'offloading',
      uid: 'o1',
      resourceVersion: '1',
      creationTimestamp: created,
    },
    spec: {
      namespaceMappingStrategy: 'DefaultName',
      podOffloadingStrategy,
      ...(selector && { clusterSelector: selector }),
    },
  };
}

interface PodChange {
  readonly spec?: Partial<PodSpec>;
  readonly metadata?: Pod['metadata'];
  readonly phase?: string;
}

function pod({ spec, metadata, phase = 'Pending' }: PodChange = {}): Stored<Pod> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'shop',
      name: 'web',
      uid: 'p1',
      resourceVersion: '1',
      creationTimestamp: created,
      ...metadata,
    },
    spec: { containers: [{ name: 'main', image: 'i' }], ...spec },
    status: { phase },
  };
}

const nodes = new Map<string, Node>([
  ['physical', { metadata: { name: 'physical' } }],
  ['virtual', { metadata: { name: 'virtual', labels: { [labels.type]: 'virtual-node' } } }],
]);
const owner = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'web', uid: 'u', controller: true }],
});
const ofReplicaSet = owner('ReplicaSet');
const earlier = { creationTimestamp: '2030-01-01T00:00:09Z' };
const ending = { deletionTimestamp: created };
const tolerant = { tolerations: [{ ...virtualNodeToleration }] };
const at = (nodeName: string) => ({ nodeName });
const both = offloading('LocalAndRemote');
const remote = offloading('Remote');
const selected = offloading('LocalAndRemote', clusterSelector);

describe('planLatePod()', () => {
  test.each<[string, Stored<NamespaceOffloading>, PodChange, string]>([
    ['lets a pod run at providers too', both, {}, 'tolerate'],
    ['leaves a pod where it runs', both, { spec: at('physical') }, 'none'],
    ['leaves an earlier pod alone', both, { metadata: earlier }, 'none'],
    ['leaves a pod alone that the webhook has seen', remote, { spec: tolerant }, 'none'],
    ['leaves a pod alone that is ending', remote, { metadata: ending }, 'none'],
    ['leaves a pod alone that has finished', remote, { phase: 'Succeeded' }, 'none'],
    ['leaves the pods of DaemonSets alone', remote, { metadata: owner('DaemonSet') }, 'none'],
    [
      'leaves pods of the RuntimeClass alone',
      remote,
      { spec: { runtimeClassName: 'liqo' } },
      'none',
    ],
    ['moves no pod with Local', offloading('Local'), { metadata: ofReplicaSet }, 'none'],
    ['replaces a pod that must not run here', remote, { metadata: ofReplicaSet }, 'replace'],
    [
      'replaces a pod that runs here and must not',
      remote,
      { metadata: ofReplicaSet, spec: at('physical'), phase: 'Running' },
      'replace',
    ],
    ['leaves a pod that runs at a provider', remote, { spec: at('virtual') }, 'none'],
    ['reports a pod that nothing would create again', remote, {}, 'report'],
    ['replaces a pod that needs the selector', selected, { metadata: ofReplicaSet }, 'replace'],
    ['reports a pod that needs the selector', selected, {}, 'report'],
    ['leaves a pod here that may be here', selected, { spec: at('physical') }, 'none'],
  ])('%s', (_, namespaceOffloading, change, type) => {
    expect(planLatePod(pod(change), namespaceOffloading, (name) => nodes.get(name)).type).toBe(
      type,
    );
  });

  test('keeps the tolerations of the pod', () => {
    const own = { key: 'team', operator: 'Exists' } as const;
    const step = planLatePod(pod({ spec: { tolerations: [own] } }), both, () => undefined);
    expect(step).toEqual({ type: 'tolerate', tolerations: [own, virtualNodeToleration] });
  });
});
