import { describe, expect, test } from 'vitest';
import { allKinds } from './all-kinds.ts';
import { forgeCustomResourceDefinition } from './custom-resource-definition.ts';
import { PublicKey } from './networking/public-key.ts';
import { VirtualNode } from './offloading/virtual-node.ts';

const core = 'core.liqo.io/v1beta1';
const authentication = 'authentication.liqo.io/v1beta1';
const offloading = 'offloading.liqo.io/v1beta1';
const networking = 'networking.liqo.io/v1beta1';
const ipam = 'ipam.liqo.io/v1alpha1';

/** What other programs rely on: never to be changed. A `+` marks the status subresource, a `*` a wide column. */
const wire = `
${core} ForeignCluster foreignclusters Cluster fc + | Role, ClusterID*, Age
${authentication} Tenant tenants Namespaced tn + | Condition, Age
${authentication} Identity identities Namespaced id + | Type, KubeconfigSecret*, Age
${authentication} ResourceSlice resourceslices Namespaced rslice + | Authentication, Resources, Age
${authentication} Renew renews Namespaced - + | Age
${offloading} VirtualNode virtualnodes Namespaced vn,vnode,virno,vno + | ClusterID, Create Node, Age, Node*, VirtualKubelet*
${offloading} VkOptionsTemplate vkoptionstemplates Namespaced vkot,vkopt | Age
${offloading} NamespaceOffloading namespaceoffloadings Namespaced nso,nsof,nsoff,nsoffloading + | NamespaceMappingStrategy, PodOffloadingStrategy, OffloadingPhase, RemoteNamespaceName*, Age
${offloading} NamespaceMap namespacemaps Namespaced nm,nsmap + | Local, Age
${offloading} Quota quotas Namespaced qt | Enforcement, Cordoned, Age, User*
${offloading} ShadowPod shadowpods Namespaced shp,shpod + | Status, Age
${offloading} ShadowEndpointSlice shadowendpointslices Namespaced shes,sheps,seps |
${networking} Configuration configurations Namespaced conf + | Desired Pod CIDR , Remapped Pod CIDR, Age, Desired External CIDR*, Remapped External CIDR*, ClusterID*
${networking} Connection connections Namespaced conn + | Type, Status, Age, Latency*
${networking} GatewayServer gatewayservers Namespaced gws,gwserver + | Template Kind*, Template Name, Template Namespace*, IP, Port, Protocol*, MTU*, Age
${networking} GatewayClient gatewayclients Namespaced gwc,gwclient + | Template Kind*, Template Name, Template Namespace*, IP, Port, Protocol*, MTU*, Age
${networking} PublicKey publickeies Namespaced pk,pkies,pkey |
${networking} WgGatewayServer wggatewayservers Namespaced wgs,wggs + |
${networking} WgGatewayClient wggatewayclients Namespaced wgc,wggc + |
${networking} WgGatewayServerTemplate wggatewayservertemplates Namespaced wggst,wgst |
${networking} WgGatewayClientTemplate wggatewayclienttemplates Namespaced wggct,wgct |
${networking} FirewallConfiguration firewallconfigurations Namespaced fw,fwconfig,fwcfg + | Age
${networking} RouteConfiguration routeconfigurations Namespaced rcnf,rcnfg,rcfg,routecfg + | Age
${networking} InternalNode internalnodes Cluster in,inode + | Node IP Local, Node IP Remote, Age
${networking} InternalFabric internalfabrics Namespaced if,ifabric | Gateway IP, Age
${networking} GeneveTunnel genevetunnels Namespaced gvtn |
${ipam} Network networks Namespaced net + | Desired CIDR, Remapped CIDR, Age
${ipam} IP ips Namespaced - + | Local IP, Remapped IP, Remapped IP CIDR, Age
sharing.liqo.io/v1beta1 Advertisement advertisements Namespaced adv + | Provider, Status, Reason, Expiration, VirtualNode, Age
config.liqo.io/v1beta1 ClusterConfig clusterconfigs Cluster - | Policy, Maximum, Sharing, Age
`;

const described = new Map(allKinds.map((kind) => [kind.kind, describeOnTheWire(kind)]));

function describeOnTheWire(kind: (typeof allKinds)[number]): string {
  const { group, names, scope, versions } = forgeCustomResourceDefinition(kind).spec;
  const [version] = versions;
  const columns = version?.additionalPrinterColumns?.map(
    ({ name, priority }) => `${name}${priority ? '*' : ''}`,
  );
  const shortNames = names.shortNames?.join() ?? '-';
  const status = version?.subresources?.status ? ' +' : '';
  const head = `${group}/${version?.name} ${names.kind} ${names.plural} ${scope} ${shortNames}`;
  return `${head}${status} | ${columns?.join(', ') ?? ''}`.trimEnd();
}

describe('forgeCustomResourceDefinition()', () => {
  const rows = wire.trim().split('\n');

  test.each(rows)('keeps to %s', (row) => {
    const kind = row.split(' ')[1] ?? '';
    expect(described.get(kind)).toBe(row);
  });

  test('makes no kind that nobody wrote down', () => {
    expect(rows).toHaveLength(allKinds.length);
  });

  test('names the object after plural and group, and puts every kind into one category', () => {
    const { metadata, spec } = forgeCustomResourceDefinition(PublicKey);
    expect(metadata?.name).toBe('publickeies.networking.liqo.io');
    expect(spec.names).toMatchObject({
      listKind: 'PublicKeyList',
      singular: 'publickey',
      categories: ['liqo'],
    });
  });

  test('shows the columns of a virtual node as every script expects them', () => {
    const [version] = forgeCustomResourceDefinition(VirtualNode).spec.versions;
    expect(version?.additionalPrinterColumns).toEqual([
      { name: 'ClusterID', type: 'string', jsonPath: '.spec.clusterID' },
      { name: 'Create Node', type: 'boolean', jsonPath: '.spec.createNode' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      {
        name: 'Node',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Node")].status',
        priority: 1,
      },
      {
        name: 'VirtualKubelet',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="VirtualKubelet")].status',
        priority: 1,
      },
    ]);
  });
});
