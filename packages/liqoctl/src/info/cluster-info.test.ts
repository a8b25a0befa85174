import type { ForeignCluster, VirtualNode } from '@liqo/api';
import type { Node, Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { judgeHealth, judgePeers } from './cluster-info.ts';

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
  const facts = { foreignClusters: [foreignCluster], virtualNodes: [], nodes: [] };
  expect(judgePeers(facts)).toEqual([
    {
      clusterID: 'milan',
      role: 'Provider',
      networkingStatus: 'Disabled',
      authenticationStatus: 'Healthy',
      offloadingStatus: 'Unhealthy',
    },
  ]);
});

test.each([
  ['Healthy', 'True'],
  ['Unhealthy', 'False'],
] as const)('judgePeers() shows a provider without a ForeignCluster as %s', (status, ready) => {
  const facts = {
    foreignClusters: [{ spec: { clusterID: 'milan' } }],
    virtualNodes: [virtualNode('a', 'turin'), virtualNode('b', 'turin'), virtualNode('c', 'milan')],
    nodes: [nodeWith('a', 'True'), nodeWith('b', ready)],
  };
  expect(judgePeers(facts)).toMatchObject([
    { clusterID: 'milan', role: 'Unknown' },
    { clusterID: 'turin', role: 'Provider', offloadingStatus: status },
  ]);
});
