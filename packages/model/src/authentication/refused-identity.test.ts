import type { ForeignCluster, Identity, VirtualNode } from '@liqo/api';
import { expect, test } from 'vitest';
import { type IdentityUse, refusedIdentity } from './refused-identity.ts';

const secret = 'kubeconfig-resourceslice-mypool';

function identity(type: 'ControlPlane' | 'ResourceSlice', name?: string): Identity {
  return {
    spec: { clusterID: 'milan', type },
    ...(name && { status: { kubeconfigSecretRef: { name } } }),
  };
}

function virtualNode(reason: string, name = secret): VirtualNode {
  return {
    spec: { clusterID: 'milan', kubeconfigSecretRef: { name } },
    status: { conditions: [{ type: 'Provider', status: 'Unreachable', reason }] },
  };
}

function foreignCluster(reason: string): Pick<ForeignCluster, 'status'> {
  const condition = { type: 'AuthIdentityControlPlaneStatus', status: 'NotReady', reason } as const;
  const off = { enabled: false };
  const authentication = { enabled: true, conditions: [condition] };
  return {
    status: { role: 'Provider', modules: { authentication, networking: off, offloading: off } },
  };
}

const nothing: IdentityUse = { foreignCluster: undefined, virtualNodes: [] };
const ofSlice = identity('ResourceSlice', secret);

test.each<[string, Identity, Partial<IdentityUse>, boolean]>([
  ['control plane whose peer is unknown', identity('ControlPlane'), {}, false],
  [
    'control plane that is refused',
    identity('ControlPlane'),
    { foreignCluster: foreignCluster('Unauthorized') },
    true,
  ],
  [
    'control plane whose certificate expired',
    identity('ControlPlane'),
    { foreignCluster: foreignCluster('CertificateExpired') },
    false,
  ],
  [
    'slice of a provider that refuses the control plane',
    ofSlice,
    { foreignCluster: foreignCluster('Unauthorized') },
    false,
  ],
  [
    'slice with a virtual node that is refused',
    ofSlice,
    { virtualNodes: [virtualNode('RemoteUnauthorized')] },
    true,
  ],
  [
    'slice whose provider is silent',
    ofSlice,
    { virtualNodes: [virtualNode('ProviderUnreachable')] },
    false,
  ],
  [
    'slice beside a virtual node with other credentials',
    ofSlice,
    { virtualNodes: [virtualNode('RemoteUnauthorized', 'another')] },
    false,
  ],
  [
    'slice without a Secret',
    identity('ResourceSlice'),
    { virtualNodes: [virtualNode('RemoteUnauthorized', '')] },
    false,
  ],
])('refusedIdentity() of a %s', (_, found, use, isRefused) => {
  const problem = refusedIdentity(found, { ...nothing, ...use });
  expect(problem?.reason).toBe(isRefused ? 'Unauthorized' : undefined);
});
