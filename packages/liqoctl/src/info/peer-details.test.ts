import type { Advertisement, ForeignCluster, ResourceSlice, VirtualNode } from '@liqo/api';
import type { Node } from '@liqo/kube';
import { expect, test } from 'vitest';
import { type DetailFacts, describePeer } from './peer-details.ts';
import { renderPeer } from './render-peer.ts';

const resources = { cpu: '500', memory: '1000Gi' };

const milan: ForeignCluster = {
  spec: { clusterID: 'milan' },
  status: {
    role: 'Provider',
    apiServerUrl: 'https://127.0.0.1:16442',
    modules: {
      networking: { enabled: false },
      authentication: { enabled: true },
      offloading: {
        enabled: true,
        conditions: [
          {
            type: 'OffloadingNodeStatus',
            status: 'NotReady',
            message: 'All virtual nodes are not ready',
          },
        ],
      },
    },
  },
};

const slice: ResourceSlice = {
  metadata: { name: 'milan' },
  spec: { providerClusterID: 'milan', resources: { cpu: '600' } },
  status: {
    conditions: [
      { type: 'Authentication', status: 'Accepted' },
      { type: 'Resources', status: 'Accepted' },
    ],
    resources,
  },
};

const virtualNode: VirtualNode = {
  metadata: { name: 'milan', labels: { 'liqo.io/resourceslice-name': 'milan' } },
  spec: {
    clusterID: 'milan',
    kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-milan' },
    resourceQuota: { hard: resources },
  },
};

const node: Node = {
  metadata: { name: 'milan' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

const facts: DetailFacts = {
  tenantNamespaces: [],
  copiedNamespaceMaps: [],
  shadowPodOrigins: [],
  identitySecrets: [],
  identities: [],
  foreignClusters: [milan],
  virtualNodes: [virtualNode, { spec: { clusterID: 'turin' } }],
  nodes: [node],
  offers: [],
  slices: [slice, { spec: { providerClusterID: 'turin' } }],
  use: (one) => (one === slice ? { cpu: '20', pods: '3' } : undefined),
};

test('describePeer() gathers what is about the peer, and renderPeer() draws it as recorded', () => {
  const drawn = renderPeer(describePeer('milan', facts));
  expect(drawn.split('\n').map((line) => line.replace(/^\|\s{2}|\s*\|$|─{3,}.$/g, ''))).toEqual([
    '┌─ Peer cluster info ',
    'Cluster ID: milan',
    'Role:       Provider',
    '└',
    '┌─ Network ',
    'Status: Disabled',
    '└',
    '┌─ Authentication ',
    'Status:     Healthy',
    'API server: https://127.0.0.1:16442',
    'Resource slices',
    '    milan',
    '        Action:        Consuming',
    '        Resource slice accepted',
    '        Virtual nodes: milan',
    '        Resources',
    '            cpu:    asked 600, granted 500, used 20',
    '            memory: granted 1000Gi, used 0',
    '            pods:   used 3',
    '└',
    '┌─ Offloading ',
    'Status: Unhealthy',
    'Alert:  All virtual nodes are not ready',
    'Virtual nodes',
    '    milan',
    '        Status:         Healthy',
    '        Secret:         kubeconfig-resourceslice-milan',
    '        Resource slice: milan',
    '        Resources',
    '            cpu:    500',
    '            memory: 1000Gi',
    '└',
    '',
  ]);
});

test('describePeer() tells what is given from what is taken, and why it is not granted', () => {
  const given: ResourceSlice = {
    metadata: { name: 'theirs', labels: { 'liqo.io/replicated': 'true' } },
    spec: { consumerClusterID: 'milan', providerClusterID: 'rome', resources: { cpu: '4' } },
    status: { conditions: [{ type: 'Resources', status: 'Denied', message: 'no room' }] },
  };
  const { authentication } = describePeer('milan', { ...facts, slices: [given] });
  expect(authentication.resourceSlices).toEqual([
    {
      name: 'theirs',
      action: 'Providing',
      accepted: false,
      alerts: ['no room'],
      asked: { cpu: '4' },
      resources: {},
    },
  ]);
});

test('describePeer() speaks for a provider that has virtual nodes only', () => {
  const { info, offloading } = describePeer('milan', { ...facts, foreignClusters: [], nodes: [] });
  expect(info.role).toBe('Provider');
  expect(offloading).toMatchObject({
    status: 'Unhealthy',
    alerts: ['milan: the controllers of Liqo have not looked at it yet'],
    virtualNodes: [
      {
        name: 'milan',
        status: 'Unhealthy',
        alerts: ['the controllers of Liqo have not looked at it yet'],
      },
    ],
  });
});

test('describePeer() shows the offers of the peer and for it, and no others', () => {
  const offerOf = (provider: string, consumer: string): Advertisement => ({
    metadata: {
      name: `advertisement-${provider}`,
      ...(provider === 'rome' && { labels: { 'liqo.io/replication': 'true' } }),
    },
    spec: {
      providerClusterID: provider,
      consumerClusterID: consumer,
      resourceQuota: { hard: { cpu: '4' } },
      kubeConfigRef: { name: 'kubeconfig-offer' },
      timestamp: '2026-11-19T10:00:00Z',
      timeToLive: '2026-11-19T10:30:00Z',
    },
    status: {
      phase: 'Accepted',
      decision: { value: 'Accepted', source: 'Policy', reason: 'AcceptedByPolicy' },
      virtualNodeRef: { name: `liqo-${provider}` },
    },
  });
  const offers = [offerOf('milan', 'rome'), offerOf('rome', 'milan'), offerOf('turin', 'rome')];
  const details = describePeer('milan', { ...facts, offers });
  expect(details.offers?.map(({ name, action }) => [name, action])).toEqual([
    ['advertisement-milan', 'Consuming'],
    ['advertisement-rome', 'Providing'],
  ]);
  const drawn = renderPeer(details);
  expect(drawn).toMatch(/Status: +Accepted \(AcceptedByPolicy\)/);
  expect(renderPeer(describePeer('milan', facts))).not.toContain('Offers');
});
