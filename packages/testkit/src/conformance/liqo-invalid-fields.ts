import {
  Advertisement,
  ClusterConfig,
  Configuration,
  Connection,
  FirewallConfiguration,
  ForeignCluster,
  GatewayClient,
  GatewayServer,
  GeneveTunnel,
  Identity,
  InternalFabric,
  InternalNode,
  IP,
  NamespaceMap,
  NamespaceOffloading,
  Network,
  PublicKey,
  Quota,
  Renew,
  ResourceSlice,
  RouteConfiguration,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
  VkOptionsTemplate,
  WgGatewayClient,
  WgGatewayServer,
  WgGatewayServerTemplate,
} from '@liqo/api';
import type { Kind } from '@liqo/kube';
import type { Json } from './liqo-kind-document.ts';

/** A value that makes a good document bad, at the path that the server then names. */
export type InvalidField = readonly [
  name: string,
  kind: Kind,
  path: string,
  value: Json | undefined,
];

/** A field of a good document, its first value, and the value that is written in place of it. */
export type FieldChange = readonly [...InvalidField, changed: Json | undefined];

const absent = undefined;
const outgoing = 'spec.advertisementConfig.outgoingConfig';
const ingoing = 'spec.advertisementConfig.ingoingConfig';
const chain = 'spec.table.chains[0]';
const rule = 'spec.table.rules[0]';
const requirement = 'spec.clusterSelector.nodeSelectorTerms[0].matchExpressions[0]';

export const invalidFields: readonly InvalidField[] = [
  ['no spec', ForeignCluster, 'spec', absent],
  ['no cluster ID', ForeignCluster, 'spec.clusterID', absent],
  ['a number for a cluster ID', ForeignCluster, 'spec.clusterID', 7],
  ['an upper-case cluster ID', ForeignCluster, 'spec.clusterID', 'Milan'],
  ['a cluster ID that ends in a hyphen', ForeignCluster, 'spec.clusterID', 'milan-'],
  ['an unknown role', ForeignCluster, 'status.role', 'Friend'],
  ['an incomplete list of modules', ForeignCluster, 'status.modules.offloading', absent],
  ['a module neither on nor off', ForeignCluster, 'status.modules.networking.enabled', absent],
  ['an unknown condition', ForeignCluster, 'status.conditions[0].type', 'Mood'],
  ['an unknown state', ForeignCluster, 'status.conditions[0].status', 'True'],

  ['an unknown condition of a tenant', Tenant, 'spec.tenantCondition', 'Evicted'],
  ['an unknown policy', Tenant, 'spec.authzPolicy', 'Anybody'],
  ['a key that is not base64', Tenant, 'spec.publicKey', '-----BEGIN'],
  ['a list for a proxy', Tenant, 'spec.proxyURL', ['http://a', 'http://b']],
  ['credentials that are text', Tenant, 'status.authParams', 'secret'],
  ['an unknown sort of credentials', Identity, 'spec.type', 'Superuser'],
  ['a certificate that is not base64', Identity, 'spec.authParams.signedCRT', '%'],
  ['a number for a Secret', Identity, 'status.kubeconfigSecretRef.name', 1],
  ['a consumer with blanks', Renew, 'spec.consumerClusterID', 'new york'],
  ['a request that is not base64', Renew, 'spec.csr', '?'],

  ['a malformed quantity', ResourceSlice, 'spec.resources.cpu', 'four'],
  ['a quantity with a wrong unit', ResourceSlice, 'spec.resources.memory', '8GB'],
  ['a quantity with two points', ResourceSlice, 'spec.resources.cpu', '1.2.3'],
  ['a negative quantity', ResourceSlice, 'spec.resources.cpu', '-1'],
  ['a negative number', ResourceSlice, 'spec.resources.pods', -1],
  ['a fraction that is not text', ResourceSlice, 'spec.resources.cpu', 1.5],
  ['a fraction of a pod', ResourceSlice, 'spec.resources', { pods: '0.5' }],
  ['a list for quantities', ResourceSlice, 'spec.resources', ['4 cores']],
  ['an unknown answer', ResourceSlice, 'status.conditions[0].status', 'Maybe'],
  ['a class without a name', ResourceSlice, 'status.storageClasses[0].storageClassName', absent],
  ['a time that is none', ResourceSlice, 'status.conditions[0].lastTransitionTime', 'noon'],

  ['text for a switch', VirtualNode, 'spec.createNode', 'yes'],
  ['a negative capacity', VirtualNode, 'spec.resourceQuota.hard.memory', '-8Gi'],
  ['a fraction of a pod', VirtualNode, 'spec.resourceQuota.hard', { cpu: '1', pods: '1.5' }],
  ['a thousandth of a pod', VirtualNode, 'spec.resourceQuota.hard', { pods: '110500m' }],
  ['a fraction of a GPU', VirtualNode, 'spec.resourceQuota.hard', { 'nvidia.com/gpu': '5e-1' }],
  ['too many resources', VirtualNode, 'spec.resourceQuota.hard', countedResources(31)],
  ['a number for a label', VirtualNode, 'spec.labels.region', 1],
  ['a taint without a key', VirtualNode, 'spec.taints[0].key', absent],
  ['an unknown taint effect', VirtualNode, 'spec.taints[0].effect', 'NoLunch'],
  [
    'a toleration in minutes',
    VirtualNode,
    'spec.offloadingPatch.tolerations[0].tolerationSeconds',
    '5m',
  ],
  [
    'a preference that weighs too much',
    VirtualNode,
    'spec.offloadingPatch.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight',
    101,
  ],
  [
    'a virtual kubelet without containers',
    VirtualNode,
    'spec.template.spec.template.spec.containers',
    [],
  ],
  ['an unknown state of a Node', VirtualNode, 'status.conditions[0].status', 'Sleeping'],
  ['no image', VkOptionsTemplate, 'spec.containerImage', absent],
  ['less than no workers', VkOptionsTemplate, 'spec.reflectorsConfig.pod.workers', -1],
  ['an unknown reflection', VkOptionsTemplate, 'spec.reflectorsConfig.secret.type', 'Sometimes'],
  ['an unknown pull policy', VkOptionsTemplate, 'spec.pullPolicy', 'Maybe'],
  ['a malformed request', VkOptionsTemplate, 'spec.resources.requests.cpu', '100 m'],

  ['an unknown mapping', NamespaceOffloading, 'spec.namespaceMappingStrategy', 'AnyName'],
  ['an unknown strategy', NamespaceOffloading, 'spec.podOffloadingStrategy', 'Everywhere'],
  ['an unknown operator', NamespaceOffloading, `${requirement}.operator`, 'Equals'],
  ['a requirement without a key', NamespaceOffloading, `${requirement}.key`, absent],
  [
    'a selector without terms',
    NamespaceOffloading,
    'spec.clusterSelector.nodeSelectorTerms',
    absent,
  ],
  ['a number for a namespace', NamespaceMap, 'spec.desiredMapping.shop', 5],
  ['an unknown mapping phase', NamespaceMap, 'status.currentMapping.shop.phase', 'Refused'],
  ['no user', Quota, 'spec.user', absent],
  ['an empty user', Quota, 'spec.user', ''],
  ['no resources', Quota, 'spec.resources', absent],
  ['an allowance of half a GPU', Quota, 'spec.resources', { 'nvidia.com/gpu': '500m' }],
  ['a negative allowance', Quota, 'spec.resources.cpu', '-1m'],
  ['an unknown enforcement', Quota, 'spec.limitsEnforcement', 'Gentle'],
  ['text for cordoned', Quota, 'spec.cordoned', 'true'],
  ['a pod without containers', ShadowPod, 'spec.pod.containers', absent],
  ['a container without a name', ShadowPod, 'spec.pod.containers[0].name', absent],
  ['an unknown pod phase', ShadowPod, 'status.phase', 'Paused'],
  [
    'an endpoint without addresses',
    ShadowEndpointSlice,
    'spec.template.endpoints[0].addresses',
    absent,
  ],
  ['an unknown address type', ShadowEndpointSlice, 'spec.template.addressType', 'IPX'],
  ['a port out of range', ShadowEndpointSlice, 'spec.template.ports[0].port', 65536],

  ['an offer of nobody', Advertisement, 'spec.providerClusterID', absent],
  ['an offer of nothing', Advertisement, 'spec.resourceQuota.hard', {}],
  ['an offer of half a pod', Advertisement, 'spec.resourceQuota.hard', { pods: '.5' }],
  ['an offer of less than nothing', Advertisement, 'spec.resourceQuota.hard.cpu', '-1m'],
  ['an offer without credentials', Advertisement, 'spec.kubeConfigRef.name', absent],
  ['an offer that has ended', Advertisement, 'spec.timeToLive', '2025-12-31T00:00:00Z'],
  ['an offer that ends in words', Advertisement, 'spec.timeToLive', 'in half an hour'],
  ['an unknown offer phase', Advertisement, 'status.phase', 'Deleting'],
  ['a decision of nobody', Advertisement, 'status.decision.source', absent],
  ['a condition in other words', Advertisement, 'status.conditions[0].status', 'Yes'],
  ['more than everything', ClusterConfig, `${outgoing}.resourceSharingPercentage`, 101],
  ['a negative share', ClusterConfig, `${outgoing}.resourceSharingPercentage`, -1],
  ['offers that lapse between refreshes', ClusterConfig, `${outgoing}.validitySeconds`, 119],
  ['an unknown label policy', ClusterConfig, `${outgoing}.labelPolicies[0].policy`, 'AnyTrue'],
  ['an unknown acceptance', ClusterConfig, `${ingoing}.acceptPolicy`, 'AutoAcceptAll'],
  ['too many offers', ClusterConfig, `${ingoing}.maxAcceptableAdvertisements`, 1_000_001],
  ['less than no offers', ClusterConfig, `${ingoing}.maxAcceptableAdvertisements`, -1],
  ['a provider in capitals', ClusterConfig, `${ingoing}.allowedClusterIDs[0]`, 'MILAN'],

  ['a range without a length', Configuration, 'spec.remote.cidr.pod[0]', '10.243.0.0'],
  ['an unknown end of a tunnel', Connection, 'spec.type', 'Middle'],
  ['a tunnel without a gateway', Connection, 'spec.gatewayRef', absent],
  ['an unknown service', GatewayServer, 'spec.endpoint.serviceType', 'Pigeon'],
  ['an unknown protocol', GatewayClient, 'spec.endpoint.protocol', 'SCTP'],
  ['a key in clear', PublicKey, 'spec.publicKey', 'not base64!'],
  ['a gateway without a Deployment', WgGatewayClient, 'spec.deployment', absent],
  ['a gateway without a Service', WgGatewayServer, 'spec.service', absent],
  ['a template that is text', WgGatewayServerTemplate, 'spec.template', '{{ . }}'],
  ['an unknown family', FirewallConfiguration, 'spec.table.family', 'IPV5'],
  ['an unknown hook', FirewallConfiguration, `${chain}.hook`, 'sideways'],
  [
    'rules of two sorts',
    FirewallConfiguration,
    `${chain}.rules`,
    { natRules: [], filterRules: [] },
  ],
  ['a table without rules', RouteConfiguration, 'spec.table.rules', []],
  ['a route to nowhere', RouteConfiguration, `${rule}.routes[0].dst`, absent],
  ['a gateway of IPv6', RouteConfiguration, `${rule}.routes[0].gw`, 'fe80::1'],
  ['a node without an address', InternalNode, 'spec.interface.node.ip', absent],
  ['an address out of range', InternalFabric, 'spec.gatewayIP', '10.0.0.256'],
  ['an identifier of 33 bits', GeneveTunnel, 'spec.id', 4294967296],
  ['a network without a range', Network, 'spec.cidr', absent],
  ['less than no addresses', Network, 'spec.preAllocated', -1],
  ['a name for an address', IP, 'spec.ip', 'localhost'],
  ['a port that is none', IP, 'spec.serviceTemplate.spec.ports[0].port', 0],
];

/** Changes that would move an object to another peer, user or table, and leave what was made for the first behind. */
export const forbiddenFieldChanges: readonly FieldChange[] = [
  ['another peer', ForeignCluster, 'spec.clusterID', 'milan', 'turin'],
  ['another consumer', Tenant, 'spec.clusterID', 'rome', 'turin'],
  ['a consumer that loses its ID', Tenant, 'spec.clusterID', 'rome', absent],
  ['a consumer that gets an ID', Tenant, 'spec.clusterID', absent, 'rome'],
  ['another provider', VirtualNode, 'spec.clusterID', 'milan', 'turin'],
  ['a provider that loses its ID', VirtualNode, 'spec.clusterID', 'milan', absent],
  ['an identity at another provider', Identity, 'spec.clusterID', 'milan', 'turin'],
  ['an identity that loses its provider', Identity, 'spec.clusterID', 'milan', absent],
  ['an identity of another type', Identity, 'spec.type', 'ControlPlane', 'ResourceSlice'],
  ['a slice of another provider', ResourceSlice, 'spec.providerClusterID', 'milan', 'turin'],
  ['a slice of another consumer', ResourceSlice, 'spec.consumerClusterID', 'rome', 'turin'],
  ['a renewal for another consumer', Renew, 'spec.consumerClusterID', 'rome', 'turin'],
  ['a renewal of another type', Renew, 'spec.identityType', 'ControlPlane', 'ResourceSlice'],
  ['a quota of another user', Quota, 'spec.user', 'milan-a', 'milan-b'],
  ['another firewall table', FirewallConfiguration, 'spec.table.name', 'nat', 'filter'],
  ['another routing table', RouteConfiguration, 'spec.table.name', 'rome', 'turin'],
  [
    'another mapping strategy',
    NamespaceOffloading,
    'spec.namespaceMappingStrategy',
    'DefaultName',
    'EnforceSameName',
  ],
  ['another remote namespace', NamespaceOffloading, 'spec.remoteNamespaceName', 'a', 'b'],
  ['a remote namespace given up', NamespaceOffloading, 'spec.remoteNamespaceName', 'a', absent],
  ['a remote namespace chosen late', NamespaceOffloading, 'spec.remoteNamespaceName', absent, 'a'],
  ['another range', Network, 'spec.cidr', '10.71.0.0/16', '10.72.0.0/16'],
  ['more reserved addresses', Network, 'spec.preAllocated', 1, 2],
  ['reserved addresses given up', Network, 'spec.preAllocated', 1, absent],
  ['another address', IP, 'spec.ip', '10.0.0.5', '10.0.0.6'],
  ['another remapped address', IP, 'status.ip', '10.70.0.5', '10.70.0.6'],
  ['another remapped range', IP, 'status.cidr', '10.70.0.0/16', '10.71.0.0/16'],
  ['an offer of another provider', Advertisement, 'spec.providerClusterID', 'milan', 'turin'],
  ['an offer to another consumer', Advertisement, 'spec.consumerClusterID', 'rome', 'turin'],
];

/** Changes that Liqo makes, or that people make: none may be refused. */
export const allowedFieldChanges: readonly FieldChange[] = [
  ['a provider named later', VirtualNode, 'spec.clusterID', absent, 'milan'],
  ['an identity filled in later', Identity, 'spec.clusterID', absent, 'milan'],
  ['a slice with a late provider', ResourceSlice, 'spec.providerClusterID', absent, 'milan'],
  ['a slice with a late consumer', ResourceSlice, 'spec.consumerClusterID', absent, 'rome'],
  ['a renewal with a late consumer', Renew, 'spec.consumerClusterID', absent, 'rome'],
  ['whole counts in other notations', VirtualNode, 'spec.resourceQuota.hard', {}, wholeCounts()],
  ['fractions of measures', VirtualNode, 'spec.resourceQuota.hard', {}, measuredFractions()],
  ['a thirtieth resource', VirtualNode, 'spec.resourceQuota.hard', {}, countedResources(30)],
];

function countedResources(count: number): Record<string, number> {
  const names = Array.from({ length: count }, (_, index) => `example.com/resource-${index}`);
  return Object.fromEntries(names.map((name) => [name, 1]));
}

function wholeCounts(): Record<string, string | number> {
  return { pods: '1.5k', 'nvidia.com/gpu': 2, 'example.com/a': '1e3', 'example.com/b': '1Ki' };
}

function measuredFractions(): Record<string, string> {
  const names = ['cpu', 'memory', 'storage', 'ephemeral-storage', 'hugepages-2Mi', 'requests.cpu'];
  return Object.fromEntries(names.map((name) => [name, '1.5']));
}
