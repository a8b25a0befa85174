import { annotations, type ForeignCluster, labels, type VirtualNode } from '@liqo/api';
import { findCondition, type Node, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import type { ApiServerState, ForeignClusterFacts } from './foreign-cluster-facts.ts';
import { forgeForeignCluster, planForeignCluster } from './plan-foreign-cluster.ts';

const nowMs = Date.UTC(2026, 0, 2);
const now = '2026-01-02T00:00:00Z';

const nothing: ForeignClusterFacts = {
  clusterID: 'milan',
  foreignCluster: undefined,
  tenants: [],
  identities: [],
  controlPlaneSecrets: [],
  resourceSlices: [],
  virtualNodes: [],
  nodes: [],
  namespaceMaps: [],
  tenantNamespaces: [],
  configurations: [],
  connections: [],
  gatewayServers: [],
  gatewayClients: [],
  endpoint: undefined,
  apiServer: 'unknown',
};

type Facts = Partial<ForeignClusterFacts>;
type Status = NonNullable<ForeignCluster['status']>;

function statusOf(facts: Facts, atMs = nowMs): Status {
  const plan = planForeignCluster({ ...nothing, ...facts }, atMs);
  if (plan.type !== 'keep') throw new Error(`the plan is to ${plan.type}`);
  return plan.status;
}

function stored(
  status?: Status,
  metadata: ForeignCluster['metadata'] = {},
): Stored<ForeignCluster> {
  const forged = forgeForeignCluster('milan');
  const server = { uid: 'u', resourceVersion: '1', generation: 1 };
  return {
    ...forged,
    metadata: { name: 'milan', ...forged.metadata, ...server, ...metadata },
    ...(status && { status }),
  } as Stored<ForeignCluster>;
}

const tenant = (status: object = {}, authzPolicy = 'KeysExchange') =>
  ({ spec: { clusterID: 'rome', authzPolicy }, status }) as ForeignClusterFacts['tenants'][number];
const authParams = { apiServer: 'https://127.0.0.1:16442' };
const identity = (
  type: 'ControlPlane' | 'ResourceSlice' = 'ControlPlane',
  secret = 'kubeconfig-controlplane-milan',
) => ({
  spec: { clusterID: 'milan', type, authParams, namespace: 'liqo-tenant-rome' },
  ...(secret && { status: { kubeconfigSecretRef: { name: secret } } }),
});
const secret = {
  metadata: { annotations: { [annotations.remoteTenantNamespace]: 'liqo-tenant-rome' } },
};
const tenantNamespace = (name: string) => ({ metadata: { name } });

const node = (name: string, ready: 'False' | 'True'): Node => ({
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

function virtualNode(name: string, kubelet: 'Creating' | 'Running', spec = {}): VirtualNode {
  const conditions = [{ type: 'VirtualKubelet', status: kubelet }] as const;
  return { ...storedVirtualNode(spec, { name }), status: { conditions: [...conditions] } };
}

test('planForeignCluster() records a provider as Liqo v1.2 does', () => {
  const status = statusOf({
    tenantNamespaces: [tenantNamespace('liqo-tenant-milan')],
    identities: [identity(), identity('ResourceSlice')],
    virtualNodes: [virtualNode('milan', 'Creating'), virtualNode('mypool', 'Creating')],
    nodes: [node('milan', 'True'), node('mypool', 'False')],
    apiServer: 'ready',
  });
  expect(status).toEqual({
    apiServerUrl: 'https://127.0.0.1:16442',
    conditions: [
      {
        lastTransitionTime: now,
        message: 'The foreign cluster API Server is ready',
        reason: 'APIServerReady',
        status: 'Established',
        type: 'APIServerStatus',
      },
    ],
    modules: {
      authentication: {
        conditions: [
          {
            lastTransitionTime: now,
            message: 'The identity has been successfully configured',
            reason: 'IdentityReady',
            status: 'Ready',
            type: 'AuthIdentityControlPlaneStatus',
          },
        ],
        enabled: true,
      },
      networking: { enabled: false },
      offloading: {
        conditions: [
          {
            lastTransitionTime: now,
            message: 'All virtual nodes are not ready',
            reason: 'VirtualNodesNotReady',
            status: 'NotReady',
            type: 'OffloadingVirtualNodeStatus',
          },
          {
            lastTransitionTime: now,
            message: 'Some nodes are not ready',
            reason: 'NodesSomeNotReady',
            status: 'SomeNotReady',
            type: 'OffloadingNodeStatus',
          },
        ],
        enabled: true,
      },
    },
    observedGeneration: 1,
    role: 'Provider',
    tenantNamespace: { local: 'liqo-tenant-milan', remote: 'liqo-tenant-rome' },
  });
});

test('planForeignCluster() records a consumer as Liqo v1.2 does', () => {
  const status = statusOf({
    clusterID: 'rome',
    tenantNamespaces: [tenantNamespace('liqo-tenant-rome')],
    tenants: [tenant({ tenantNamespace: 'liqo-tenant-rome', authParams })],
  });
  expect(status).toEqual({
    modules: {
      authentication: {
        conditions: [
          {
            lastTransitionTime: now,
            message: 'The tenant has been successfully configured',
            reason: 'TenantReady',
            status: 'Ready',
            type: 'AuthTenantStatus',
          },
        ],
        enabled: true,
      },
      networking: { enabled: false },
      offloading: { enabled: false },
    },
    observedGeneration: 1,
    role: 'Consumer',
    tenantNamespace: { local: 'liqo-tenant-rome' },
  });
});

test('forgeForeignCluster() labels it as Liqo v1.2 does', () => {
  expect(forgeForeignCluster('milan')).toEqual({
    metadata: { name: 'milan', labels: { 'liqo.io/remote-cluster-id': 'milan' } },
    spec: { clusterID: 'milan' },
  });
});

describe('the role', () => {
  test.each<[string, Facts]>([
    ['Consumer', { tenants: [tenant()] }],
    ['Provider', { identities: [identity()] }],
    ['Provider', { identities: [identity('ResourceSlice')] }],
    ['Provider', { controlPlaneSecrets: [secret] }],
    ['Provider', { virtualNodes: [storedVirtualNode()] }],
    ['ConsumerAndProvider', { tenants: [tenant()], virtualNodes: [storedVirtualNode()] }],
    ['Unknown', { nodes: [node('milan', 'True')] }],
    ['Unknown', { resourceSlices: [{ spec: {} }] }],
  ])('is %s', (role, facts) => {
    expect(statusOf(facts).role).toBe(role);
  });
});

const configuration = { spec: {} };
const connection = (value?: 'Connected' | 'Connecting' | 'Error') =>
  ({ ...(value && { status: { value } }) }) as ForeignClusterFacts['connections'][number];
const gateway = (isReady: boolean) =>
  ({
    spec: {},
    ...(isReady && { status: { internalEndpoint: {} } }),
  }) as ForeignClusterFacts['gatewayServers'][number];

describe('a condition of the network', () => {
  test.each<[string, string, string, Facts]>([
    [
      'NetworkConfigurationStatus',
      'Ready',
      'NetworkConfigurationPresence',
      { configurations: [configuration] },
    ],
    [
      'NetworkConfigurationStatus',
      'NotReady',
      'NetworkConfigurationMissing',
      { connections: [connection()] },
    ],
    ['NetworkGatewayPresence', 'Ready', 'GatewayPresence', { gatewayServers: [gateway(false)] }],
    ['NetworkGatewayPresence', 'NotReady', 'GatewayMissing', { configurations: [configuration] }],
    ['NetworkGatewayServerStatus', 'Ready', 'GatewaysReady', { gatewayServers: [gateway(true)] }],
    [
      'NetworkGatewayServerStatus',
      'SomeNotReady',
      'GatewaysSomeNotReady',
      { gatewayServers: [gateway(true), gateway(false)] },
    ],
    [
      'NetworkGatewayClientStatus',
      'NotReady',
      'GatewaysNotReady',
      { gatewayClients: [gateway(false)] },
    ],
    [
      'NetworkConnectionStatus',
      'Established',
      'ConnectionEstablished',
      { connections: [connection('Connected')] },
    ],
    [
      'NetworkConnectionStatus',
      'Pending',
      'ConnectionPending',
      { connections: [connection('Connecting')] },
    ],
    ['NetworkConnectionStatus', 'Pending', 'ConnectionPending', { connections: [connection()] }],
    [
      'NetworkConnectionStatus',
      'Error',
      'ConnectionError',
      { connections: [connection('Connected'), connection('Error')] },
    ],
    [
      'NetworkConnectionStatus',
      'NotReady',
      'ConnectionMissing',
      { configurations: [configuration] },
    ],
  ])('%s is %s with the reason %s', (type, status, reason, facts) => {
    const { networking } = statusOf(facts).modules ?? {};
    expect(networking?.enabled).toBe(true);
    const found = networking?.conditions?.find((condition) => condition.type === type);
    expect(found).toMatchObject({
      status,
      reason,
      message: expect.stringMatching(/^(The|All|Some) /),
    });
  });

  test('is absent for a side of the tunnel that does not exist', () => {
    const { networking } = statusOf({ gatewayServers: [gateway(true)] }).modules ?? {};
    expect(findCondition(networking?.conditions, 'NetworkGatewayClientStatus')).toBeUndefined();
  });
});

describe('a condition of the authentication', () => {
  const unready = (reason: string) => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const found = { type: 'Ready', status: 'False', reason, message: 'x' } as const;
    const secretRef = { name: 'kubeconfig-controlplane-milan' };
    return {
      ...identity(),
      status: { kubeconfigSecretRef: secretRef, conditions: [{ ...found, lastTransitionTime }] },
    };
  };
  const expired = { expiresMs: nowMs };
  test.each<[string, string, string, Facts]>([
    [
      'AuthTenantStatus',
      'Ready',
      'TenantReady',
      { tenants: [tenant({ tenantNamespace: 'a', authParams })] },
    ],
    ['AuthTenantStatus', 'NotReady', 'TenantNotReady', { tenants: [tenant({ authParams })] }],
    [
      'AuthTenantStatus',
      'NotReady',
      'TenantNotReady',
      { tenants: [tenant({ tenantNamespace: 'a' })] },
    ],
    [
      'AuthTenantStatus',
      'Ready',
      'TenantReady',
      { tenants: [tenant({ tenantNamespace: 'a' }, 'TolerateNoHandshake')] },
    ],
    ['AuthIdentityControlPlaneStatus', 'Ready', 'IdentityReady', { identities: [identity()] }],
    ['AuthIdentityControlPlaneStatus', 'Ready', 'IdentityReady', { controlPlaneSecrets: [secret] }],
    [
      'AuthIdentityControlPlaneStatus',
      'NotReady',
      'IdentityNotReady',
      { identities: [identity('ControlPlane', '')] },
    ],
    [
      'AuthIdentityControlPlaneStatus',
      'NotReady',
      'CertificateExpired',
      { controlPlaneSecrets: [secret], endpoint: expired, apiServer: 'unauthorized' },
    ],
    [
      'AuthIdentityControlPlaneStatus',
      'NotReady',
      'Unauthorized',
      { identities: [identity()], apiServer: 'unauthorized' },
    ],
    [
      'AuthIdentityControlPlaneStatus',
      'NotReady',
      'OtherKey',
      { identities: [unready('OtherKey')], apiServer: 'ready' },
    ],
    [
      'AuthIdentityControlPlaneStatus',
      'Ready',
      'IdentityReady',
      { identities: [unready('Unauthorized')], apiServer: 'ready' },
    ],
  ])('%s is %s with the reason %s', (type, status, reason, facts) => {
    const { authentication } = statusOf(facts).modules ?? {};
    const found = authentication?.conditions?.find((condition) => condition.type === type);
    expect(found).toMatchObject({ status, reason });
  });

  test('is Ready until the very moment when the certificate expires', () => {
    const facts = { controlPlaneSecrets: [secret], endpoint: { expiresMs: nowMs + 1 } };
    const [found] = statusOf(facts).modules?.authentication.conditions ?? [];
    expect(found?.reason).toBe('IdentityReady');
  });

  test.each(['Unauthorized', 'CertificateExpired'])(
    'stays %s until the probe has a result',
    (reason) => {
      const condition = {
        type: 'AuthIdentityControlPlaneStatus',
        status: 'NotReady',
        reason,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      } as const;
      const modules = {
        networking: { enabled: false },
        authentication: { enabled: true, conditions: [condition] },
        offloading: { enabled: false },
      };
      const foreignCluster = stored({ role: 'Provider', modules });
      const facts = { foreignCluster, controlPlaneSecrets: [secret] };
      expect(statusOf(facts).modules?.authentication.conditions).toEqual([condition]);
      const answered: Facts = { ...facts, endpoint: {}, apiServer: 'ready' };
      const [healed] = statusOf(answered).modules?.authentication.conditions ?? [];
      expect(healed).toMatchObject({ status: 'Ready', lastTransitionTime: now });
    },
  );

  test('is absent for the identity of a slice alone', () => {
    const { authentication } = statusOf({ identities: [identity('ResourceSlice')] }).modules ?? {};
    expect(authentication).toEqual({ enabled: false });
  });
});

describe('a condition of the offloading', () => {
  const [running, creating] = [virtualNode('a', 'Running'), virtualNode('b', 'Creating')];
  const bare = virtualNode('c', 'Running', { createNode: false });
  test.each<[string, string, string, Facts]>([
    ['OffloadingVirtualNodeStatus', 'Ready', 'VirtualNodesReady', { virtualNodes: [running] }],
    [
      'OffloadingVirtualNodeStatus',
      'SomeNotReady',
      'VirtualNodesSomeNotReady',
      { virtualNodes: [running, creating] },
    ],
    [
      'OffloadingVirtualNodeStatus',
      'NotReady',
      'VirtualNodesNotReady',
      { virtualNodes: [creating] },
    ],
    [
      'OffloadingNodeStatus',
      'Ready',
      'NodesReady',
      { virtualNodes: [running], nodes: [node('a', 'True')] },
    ],
    [
      'OffloadingNodeStatus',
      'SomeNotReady',
      'NodesSomeNotReady',
      { virtualNodes: [running, creating], nodes: [node('a', 'True'), node('b', 'False')] },
    ],
    ['OffloadingNodeStatus', 'NotReady', 'NodesNotReady', { virtualNodes: [running] }],
    ['OffloadingNodeStatus', 'Ready', 'NodesReady', { virtualNodes: [bare] }],
  ])('%s is %s with the reason %s', (type, status, reason, facts) => {
    const { offloading } = statusOf(facts).modules ?? {};
    const found = offloading?.conditions?.find((condition) => condition.type === type);
    expect(found).toMatchObject({ status, reason });
  });

  test('expects no Node where the VkOptionsTemplate asks for none', () => {
    const conditions = [{ type: 'Node', status: 'None', reason: 'NotWanted' }] as const;
    const virtualNodes = [{ ...storedVirtualNode(), status: { conditions: [...conditions] } }];
    const { offloading } = statusOf({ virtualNodes }).modules ?? {};
    expect(findCondition(offloading?.conditions, 'OffloadingNodeStatus')?.status).toBe('Ready');
  });
});

describe('APIServerStatus', () => {
  const established = {
    type: 'APIServerStatus',
    status: 'Established',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  const before = stored({ role: 'Provider', conditions: [established] });

  test.each<[ApiServerState, string, string]>([
    ['ready', 'Established', 'APIServerReady'],
    ['silent', 'Error', 'APIServerNotReady'],
    ['failing', 'Error', 'APIServerNotReady'],
    ['unauthorized', 'Error', 'APIServerNotReady'],
    ['disconnected', 'Error', 'APIServerNotReady'],
  ])('of a server that is %s is %s with the reason %s', (apiServer, status, reason) => {
    const { conditions } = statusOf({ controlPlaneSecrets: [secret], apiServer });
    expect(conditions).toEqual([expect.objectContaining({ status, reason })]);
  });

  test('keeps its transition time as long as the status stays', () => {
    const facts = { foreignCluster: before, controlPlaneSecrets: [secret] };
    const [same] = statusOf({ ...facts, apiServer: 'ready' }).conditions ?? [];
    expect(same?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
    const [changed] = statusOf({ ...facts, apiServer: 'silent' }).conditions ?? [];
    expect(changed?.lastTransitionTime).toBe(now);
  });

  test('stays as it was recorded until the probe has a result', () => {
    const facts = { foreignCluster: before, controlPlaneSecrets: [secret] };
    expect(statusOf(facts).conditions).toEqual([established]);
  });

  test('goes with the credentials: a recorded answer would hold for ever', () => {
    const facts = { foreignCluster: before, virtualNodes: [storedVirtualNode()] };
    expect(statusOf({ ...facts, apiServer: 'ready' }).conditions).toBeUndefined();
  });
});

describe('the addresses', () => {
  const hidden = 'http://user:secret@proxy:3128';

  test('are those of the Identity, without a password', () => {
    const given = { ...identity().spec, authParams: { ...authParams, proxyURL: hidden } };
    const status = statusOf({ identities: [{ spec: given }], endpoint: { server: 'https://x' } });
    expect(status.apiServerUrl).toBe('https://127.0.0.1:16442');
    expect(status.foreignProxyUrl).toBe('http://proxy:3128');
  });

  test('are those of a kubeconfig that was written by hand', () => {
    const endpoint = { server: 'https://milan:6443', proxyUrl: hidden };
    const status = statusOf({ controlPlaneSecrets: [secret], endpoint });
    expect(status.apiServerUrl).toBe('https://milan:6443');
    expect(status.foreignProxyUrl).toBe('http://proxy:3128');
    expect(status.tenantNamespace).toEqual({ remote: 'liqo-tenant-rome' });
  });

  test('stay as they were recorded until the connection is made', () => {
    const foreignCluster = stored({ role: 'Provider', apiServerUrl: 'https://milan:6443' });
    const facts = { foreignCluster, controlPlaneSecrets: [secret] };
    expect(statusOf(facts).apiServerUrl).toBe('https://milan:6443');
    expect(statusOf({ ...facts, endpoint: {} }).apiServerUrl).toBeUndefined();
  });

  test('are left out if they are too long to be addresses', () => {
    const endpoint = { server: `https://${'a'.repeat(3_000)}` };
    expect(statusOf({ controlPlaneSecrets: [secret], endpoint }).apiServerUrl).toBeUndefined();
  });
});

describe('existence', () => {
  const planOf = (facts: Facts) => planForeignCluster({ ...nothing, ...facts }, nowMs).type;
  const filled = stored({ role: 'Provider', observedGeneration: 1 });
  const givenUp = stored(filled.status, {
    annotations: { [annotations.permanentlyUnreachable]: 'true' },
  });
  const byHand = stored(filled.status, { labels: {} });
  const map = { metadata: { name: 'milan' } };

  test.each<[string, Facts, string]>([
    ['nothing is about the peer', {}, 'ignore'],
    ['a Tenant exists', { tenants: [tenant()] }, 'keep'],
    ['an Identity exists', { identities: [identity()] }, 'keep'],
    ['a control-plane Secret exists', { controlPlaneSecrets: [secret] }, 'keep'],
    ['a ResourceSlice exists', { resourceSlices: [{ spec: {} }] }, 'keep'],
    ['a VirtualNode exists', { virtualNodes: [storedVirtualNode()] }, 'keep'],
    ['a virtual Node exists', { nodes: [node('a', 'False')] }, 'keep'],
    ['a Configuration exists', { configurations: [configuration] }, 'keep'],
    ['a Connection exists', { connections: [connection()] }, 'keep'],
    ['a GatewayServer exists', { gatewayServers: [gateway(true)] }, 'keep'],
    ['a GatewayClient exists', { gatewayClients: [gateway(true)] }, 'keep'],
    ['only a NamespaceMap exists', { namespaceMaps: [map] }, 'ignore'],
    ['only a tenant namespace exists', { tenantNamespaces: [tenantNamespace('a')] }, 'ignore'],
  ])('without a ForeignCluster, when %s, the plan is to %s', (_, facts, plan) => {
    expect(planOf(facts)).toBe(plan);
  });

  test.each<[string, Facts, string]>([
    ['nothing is left', { foreignCluster: filled }, 'delete'],
    ['a NamespaceMap is left', { foreignCluster: filled, namespaceMaps: [map] }, 'keep'],
    [
      'only the tenant namespace is left',
      { foreignCluster: filled, tenantNamespaces: [tenantNamespace('a')] },
      'delete',
    ],
    [
      'the peer is given up, and the tenant namespace is left',
      { foreignCluster: givenUp, tenantNamespaces: [tenantNamespace('a')] },
      'keep',
    ],
    ['the peer is given up, and nothing is left', { foreignCluster: givenUp }, 'delete'],
    ['a person created it, and nothing is left', { foreignCluster: byHand }, 'keep'],
    ['a person created it, and nothing ever was', { foreignCluster: stored() }, 'ignore'],
    [
      'it is being deleted',
      {
        foreignCluster: stored(filled.status, { deletionTimestamp: now }),
        virtualNodes: [storedVirtualNode()],
      },
      'ignore',
    ],
    [
      'it is about another cluster than its name says',
      { foreignCluster: { ...filled, spec: { clusterID: 'turin' } }, tenants: [tenant()] },
      'ignore',
    ],
  ])('with a ForeignCluster, when %s, the plan is to %s', (_, facts, plan) => {
    expect(planOf(facts)).toBe(plan);
  });

  test('one that a person created says that nothing is left', () => {
    expect(statusOf({ foreignCluster: byHand })).toEqual({
      observedGeneration: 1,
      role: 'Unknown',
      modules: {
        networking: { enabled: false },
        authentication: { enabled: false },
        offloading: { enabled: false },
      },
    });
  });

  test('the label makes it ours', () => {
    expect(filled.metadata.labels).toEqual({ [labels.remoteClusterID]: 'milan' });
  });
});
