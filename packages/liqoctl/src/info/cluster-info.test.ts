import type { ForeignCluster, NamespaceMap, VirtualNode } from '@liqo/api';
import type { Node, Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { judgeHealth, judgePeers } from './cluster-info.ts';
import type { PeerFacts } from './peer-facts.ts';

function podWith(name: string, ready: 'True' | 'False', phase = 'Running'): Pod {
  return {
    metadata: { name },
    spec: { containers: [{ name: 'a' }, { name: 'b' }] },
    status: { phase, conditions: [{ type: 'Ready', status: ready }] },
  };
}

test('judgeHealth() is content with pods that are ready or have finished', () => {
  const pods = [podWith('a', 'True'), podWith('job', 'False', 'Succeeded')];
  expect(judgeHealth(pods)).toEqual({ healthy: true });
});

test('judgeHealth() names every pod that is not ready', () => {
  const crashing = podWith('b', 'False');
  const containerStatuses = [
    { name: 'a', ready: true, restartCount: 1, image: '', imageID: '' },
    {
      name: 'b',
      ready: false,
      restartCount: 4,
      image: '',
      imageID: '',
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    },
  ];
  const pods = [
    podWith('a', 'True'),
    { ...crashing, status: { ...crashing.status, containerStatuses } },
  ];
  expect(judgeHealth(pods)).toEqual({
    healthy: false,
    unhealthyPods: {
      b: { status: 'CrashLoopBackOff', readyContainers: 1, totalContainers: 2, restarts: 5 },
    },
  });
});

test('judgeHealth() does not take an empty namespace for a healthy one', () => {
  expect(judgeHealth([]).healthy).toBe(false);
});

function nodeWith(name: string, ready: 'True' | 'False'): Node {
  return { metadata: { name }, status: { conditions: [{ type: 'Ready', status: ready }] } };
}

const noFacts: PeerFacts = {
  foreignClusters: [],
  virtualNodes: [],
  nodes: [],
  tenantNamespaces: [],
  copiedNamespaceMaps: [],
  shadowPodOrigins: [],
  identitySecrets: [],
  identities: [],
};

function virtualNode(name: string, clusterID: string): VirtualNode {
  return { metadata: { name }, spec: { clusterID } };
}

test('judgePeers() shows the modules of every peer', () => {
  const foreignCluster: ForeignCluster = {
    spec: { clusterID: 'milan' },
    status: {
      role: 'Provider',
      modules: {
        networking: { enabled: false },
        authentication: {
          enabled: true,
          conditions: [{ type: 'AuthTenantStatus', status: 'Ready' }],
        },
        offloading: {
          enabled: true,
          conditions: [{ type: 'OffloadingNodeStatus', status: 'SomeNotReady' }],
        },
      },
    },
  };
  expect(judgePeers({ ...noFacts, foreignClusters: [foreignCluster] })).toEqual([
    {
      clusterID: 'milan',
      role: 'Provider',
      networkingStatus: 'Disabled',
      authenticationStatus: 'Healthy',
      offloadingStatus: 'Unhealthy',
      alerts: ['Offloading: OffloadingNodeStatus is SomeNotReady'],
    },
  ]);
});

const about = { labels: { 'liqo.io/remote-cluster-id': 'rome' } };

type Mapping = NonNullable<NonNullable<NamespaceMap['status']>['currentMapping']>;

function mapOf(currentMapping: Mapping): NamespaceMap {
  const copy = { 'liqo.io/originID': 'rome', 'liqo.io/replicated': 'true' };
  return { metadata: { labels: copy }, spec: {}, status: { currentMapping } };
}

const hosting = mapOf({ shop: { remoteNamespace: 'shop-rome', phase: 'Accepted' } });

test.each([
  ['a NamespaceMap', { copiedNamespaceMaps: [hosting] }],
  ['ShadowPods', { shadowPodOrigins: ['rome'] }],
])('judgePeers() knows a consumer by %s alone', (_, known) => {
  expect(judgePeers({ ...noFacts, ...known })).toEqual([
    {
      clusterID: 'rome',
      role: 'Consumer',
      networkingStatus: 'Disabled',
      authenticationStatus: 'Healthy',
      offloadingStatus: 'Healthy',
    },
  ]);
});

test('judgePeers() says why a consumer has not got its namespace', () => {
  const refused = { phase: 'CreationLoopBackOff', message: 'The name is taken' } as const;
  const facts = { ...noFacts, copiedNamespaceMaps: [mapOf({ shop: refused })] };
  expect(judgePeers(facts)).toMatchObject([
    { offloadingStatus: 'Unhealthy', alerts: ['Offloading: namespace "shop": The name is taken'] },
  ]);
});

test('judgePeers() lists a peer that has a tenant namespace and nothing else yet', () => {
  expect(judgePeers({ ...noFacts, tenantNamespaces: [{ metadata: about }] })).toEqual([
    {
      clusterID: 'rome',
      role: 'Unknown',
      networkingStatus: 'Disabled',
      authenticationStatus: 'Disabled',
      offloadingStatus: 'Disabled',
    },
  ]);
});

test('judgePeers() shows an identity at a provider before there is a virtual node', () => {
  const facts = { ...noFacts, identitySecrets: [{ metadata: about }] };
  expect(judgePeers(facts)).toMatchObject([
    { role: 'Provider', authenticationStatus: 'Healthy', offloadingStatus: 'Disabled' },
  ]);
});

test('judgePeers() shows a peer that lends and borrows as both', () => {
  const facts = {
    ...noFacts,
    copiedNamespaceMaps: [hosting],
    identitySecrets: [{ metadata: about }],
  };
  expect(judgePeers(facts)).toMatchObject([{ role: 'ConsumerAndProvider' }]);
});

test.each([
  'NoKubeconfig',
  'InvalidKubeconfig',
  'WrongCluster',
  'RemoteUnauthorized',
  'RemoteForbidden',
])('judgePeers() shows credentials that fail with %s, and why', (reason) => {
  const condition = {
    type: 'Provider',
    status: 'Unreachable',
    reason,
    message: 'So it is',
  } as const;
  const failing = { ...virtualNode('a', 'turin'), status: { conditions: [condition] } };
  const [peer] = judgePeers({
    ...noFacts,
    virtualNodes: [failing],
    nodes: [nodeWith('a', 'True')],
  });
  expect(peer).toMatchObject({
    authenticationStatus: 'Unhealthy',
    alerts: ['Authentication: a: So it is'],
  });
});

test('judgePeers() does not take a provider that is silent for one that refuses', () => {
  const condition = {
    type: 'Provider',
    status: 'Unreachable',
    reason: 'ProviderUnreachable',
  } as const;
  const silent = { ...virtualNode('a', 'turin'), status: { conditions: [condition] } };
  expect(judgePeers({ ...noFacts, virtualNodes: [silent] })).toMatchObject([
    { authenticationStatus: 'Healthy', offloadingStatus: 'Unhealthy' },
  ]);
});

test('judgePeers() goes by what exists where a ForeignCluster says nothing of a module', () => {
  const foreignClusters = [{ spec: { clusterID: 'rome' } }];
  expect(judgePeers({ ...noFacts, foreignClusters, copiedNamespaceMaps: [hosting] })).toMatchObject(
    [{ role: 'Consumer', authenticationStatus: 'Healthy', offloadingStatus: 'Healthy' }],
  );
});

test('judgePeers() wants a running virtual kubelet of a virtual node without a Node', () => {
  const spec = { clusterID: 'turin', createNode: false };
  const [kubelet] = [{ type: 'VirtualKubelet', status: 'Creating', message: 'Not yet' } as const];
  const facts = {
    ...noFacts,
    virtualNodes: [{ metadata: { name: 'a' }, spec, status: { conditions: [kubelet] } }],
  };
  expect(judgePeers(facts)).toMatchObject([
    { offloadingStatus: 'Unhealthy', alerts: ['Offloading: a: Not yet'] },
  ]);
});

test.each([
  ['Healthy', 'True'],
  ['Unhealthy', 'False'],
] as const)('judgePeers() shows a provider without a ForeignCluster as %s', (status, ready) => {
  const facts = {
    ...noFacts,
    foreignClusters: [{ spec: { clusterID: 'milan' } }],
    virtualNodes: [virtualNode('a', 'turin'), virtualNode('b', 'turin')],
    nodes: [nodeWith('a', 'True'), nodeWith('b', ready)],
  };
  expect(judgePeers(facts)).toMatchObject([
    { clusterID: 'milan', role: 'Unknown' },
    {
      clusterID: 'turin',
      role: 'Provider',
      authenticationStatus: 'Healthy',
      offloadingStatus: status,
    },
  ]);
});
