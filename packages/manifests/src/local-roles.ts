import { fixedNames } from '@liqo/api';
import { type ClusterRole, EndpointSlice, PersistentVolumeClaim, type Role } from '@liqo/kube';
import { reflectedKinds } from '@liqo/model';
import { ruleOfEach } from './rule-of-each.ts';
import { reading } from './verbs.ts';

const rolesToBind = [
  fixedNames.controllerManagerTenantRole,
  'liqo-virtual-kubelet-local',
  'liqo-virtual-kubelet-tokens',
  'liqo-virtual-kubelet-reflection',
  fixedNames.customReflectionRole,
  'liqo-virtual-kubelet-remote',
  fixedNames.customRemoteRole,
  'liqo-virtual-kubelet-remote-clusterwide',
  'liqo-remote-controlplane',
];

/**
 * What a virtual kubelet may do at home, in the whole cluster: its Node, and the pods that are bound to it. What it needs of
 * its own tenant namespace, its one Secret above all, and its Lease are granted where they are.
 */
export const localVirtualKubelet: ClusterRole = {
  metadata: {
    name: 'liqo-virtual-kubelet-local',
    labels: { 'app.kubernetes.io/name': 'virtual-kubelet-local' },
  },
  rules: [
    { apiGroups: [''], resources: ['nodes'], verbs: ['create', ...reading, 'patch'] },
    { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['delete', ...reading] },
    { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] },
    {
      apiGroups: [''],
      resources: ['configmaps'],
      // Whose client certificates to trust, as every kubelet does.
      resourceNames: ['extension-apiserver-authentication'],
      verbs: reading,
    },
    // What stands for storage at the provider.
    {
      apiGroups: [''],
      resources: ['persistentvolumes'],
      verbs: ['create', 'delete', ...reading],
    },
    { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get'] },
    // Which addresses are of this cluster: a provider may not report them for its pods.
    { apiGroups: ['networking.k8s.io'], resources: ['servicecidrs'], verbs: ['list'] },
    { apiGroups: [''], resources: ['services'], resourceNames: ['kubernetes'], verbs: ['get'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['core.liqo.io'], resources: ['foreignclusters'], verbs: reading },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests'],
      verbs: ['create', 'watch'],
    },
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

const reflectedFromConsumer = [
  ...Object.values(reflectedKinds).map(({ kind }) => kind),
  EndpointSlice,
  PersistentVolumeClaim,
];

/**
 * What a virtual kubelet may do in a namespace that is offloaded to its provider, where the controllers bind it: read what it
 * reflects, either way.
 */
export const virtualKubeletReflection: ClusterRole = {
  metadata: {
    name: 'liqo-virtual-kubelet-reflection',
    labels: { 'app.kubernetes.io/name': 'virtual-kubelet-reflection' },
  },
  rules: [
    ...ruleOfEach(reflectedFromConsumer, reading),
    // What is not reflected, and why, is said there.
    {
      apiGroups: ['offloading.liqo.io'],
      resources: ['namespaceoffloadings'],
      resourceNames: [fixedNames.namespaceOffloading],
      verbs: ['get'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      resources: ['namespaceoffloadings/status'],
      resourceNames: [fixedNames.namespaceOffloading],
      verbs: ['patch'],
    },
    // What was written of the provider's is not written again.
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['list', 'watch'] },
  ],
};

/** Only for virtual kubelets whose pods may call the API server here: tokens are asked for as bound to those pods. */
export const virtualKubeletTokens: ClusterRole = {
  metadata: {
    name: 'liqo-virtual-kubelet-tokens',
    labels: { 'app.kubernetes.io/name': 'virtual-kubelet-tokens' },
  },
  rules: [{ apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] }],
};

/**
 * What the controllers may do in tenant namespaces, where they bind this role themselves: credentials, certificates and
 * nonces of peers. A virtual kubelet gets some of it for its one Secret.
 */
export const controllerManagerTenantRole: ClusterRole = {
  metadata: {
    name: fixedNames.controllerManagerTenantRole,
    labels: { 'app.kubernetes.io/name': 'controller-manager-tenant' },
  },
  rules: [
    {
      apiGroups: [''],
      resources: ['secrets'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    // Of virtual kubelets. The garbage collector removes them with their VirtualNodes.
    {
      apiGroups: ['networking.k8s.io'],
      resources: ['networkpolicies'],
      verbs: ['create', 'patch'],
    },
  ],
};

/**
 * What the controllers may do in the whole cluster: no wildcards, and nothing with Secrets. They grant virtual kubelets no
 * more than they have themselves, so what those get in their tenant namespace is here or in the role for tenant namespaces.
 */
export const controllerManagerRole: ClusterRole = {
  metadata: {
    name: fixedNames.controllerManager,
    labels: { 'app.kubernetes.io/name': 'controller-manager' },
  },
  rules: [
    {
      apiGroups: ['offloading.liqo.io'],
      // Of slices that are granted.
      resources: ['virtualnodes'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      // Of namespaces with the label `liqo.io/enabled`.
      resources: ['namespaceoffloadings'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      resources: ['namespacemaps'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      // Their finalizer holds ShadowPods until their pods have ended.
      resources: ['shadowpods'],
      verbs: [...reading, 'patch'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      resources: ['shadowendpointslices', 'vkoptionstemplates'],
      verbs: reading,
    },
    {
      apiGroups: ['discovery.k8s.io'],
      // Of consumers. The garbage collector removes them with their ShadowEndpointSlices.
      resources: ['endpointslices'],
      verbs: ['create', ...reading, 'update'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      // The garbage collector removes them with their slices.
      resources: ['quotas'],
      verbs: ['create', ...reading, 'patch'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      resources: [
        'virtualnodes/status',
        'namespaceoffloadings/status',
        'namespacemaps/status',
        'shadowpods/status',
      ],
      verbs: ['patch'],
    },
    {
      apiGroups: ['offloading.liqo.io'],
      // Asked for when what keeps its shadow object from going is made, where that is enforced.
      resources: ['shadowendpointslices/finalizers', 'shadowpods/finalizers'],
      verbs: ['update'],
    },
    {
      apiGroups: ['sharing.liqo.io'],
      // Of this cluster, and copies of those of providers. Those that have expired are deleted.
      resources: ['advertisements'],
      verbs: ['create', 'delete', ...reading, 'patch', 'update'],
    },
    { apiGroups: ['sharing.liqo.io'], resources: ['advertisements/status'], verbs: ['patch'] },
    {
      apiGroups: ['sharing.liqo.io'],
      // Asked for when something that goes with its offer is made, where that is enforced.
      resources: ['advertisements/finalizers'],
      verbs: ['update'],
    },
    {
      apiGroups: ['config.liqo.io'],
      // The last valid one is kept in an annotation.
      resources: ['clusterconfigs'],
      verbs: [...reading, 'patch'],
    },
    {
      apiGroups: ['core.liqo.io'],
      resources: ['foreignclusters'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    { apiGroups: ['core.liqo.io'], resources: ['foreignclusters/status'], verbs: ['patch'] },
    {
      apiGroups: ['authentication.liqo.io'],
      // Certificates are renewed in Identities; those of slices come and go with the provider's answer.
      resources: ['identities'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    { apiGroups: ['authentication.liqo.io'], resources: ['tenants'], verbs: [...reading, 'patch'] },
    {
      apiGroups: ['authentication.liqo.io'],
      // The finalizer of the replication holds them until their copies are gone; those of a consumer that is drained go.
      resources: ['resourceslices'],
      verbs: ['delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['authentication.liqo.io'],
      resources: ['renews'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['authentication.liqo.io'],
      resources: ['identities/status', 'renews/status', 'resourceslices/status', 'tenants/status'],
      verbs: ['patch'],
    },
    {
      apiGroups: ['authentication.liqo.io'],
      // Asked for when something that goes with its Identity, slice or Tenant is made, where that is enforced.
      resources: ['identities/finalizers', 'resourceslices/finalizers', 'tenants/finalizers'],
      verbs: ['update'],
    },
    { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: reading },
    {
      apiGroups: ['networking.liqo.io'],
      resources: ['configurations', 'connections', 'gatewayclients', 'gatewayservers'],
      verbs: reading,
    },
    {
      apiGroups: [''],
      resources: ['namespaces'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: [''],
      resources: ['pods'],
      verbs: ['create', 'delete', ...reading, 'patch', 'update'],
    },
    { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['pods/ephemeralcontainers', 'pods/resize'],
      verbs: ['patch'],
    },
    { apiGroups: [''], resources: ['nodes'], verbs: ['delete', ...reading, 'patch'] },
    // A serving certificate for one of their addresses would pass for the API server.
    { apiGroups: ['networking.k8s.io'], resources: ['servicecidrs'], verbs: ['list'] },
    // They are written in tenant namespaces only.
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: reading },
    { apiGroups: [''], resources: ['services'], resourceNames: ['kubernetes'], verbs: ['get'] },
    {
      apiGroups: [''],
      resources: ['configmaps'],
      // By which authority consumers trust the API server.
      resourceNames: ['kube-root-ca.crt'],
      verbs: reading,
    },
    {
      apiGroups: [''],
      resources: ['serviceaccounts'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    {
      apiGroups: ['apps'],
      resources: ['deployments'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: ['create', 'delete', 'get', 'update'],
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterrolebindings', 'roles'],
      verbs: ['create', 'delete', ...reading, 'patch'],
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['rolebindings'],
      verbs: ['create', 'delete', ...reading, 'patch', 'update'],
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      resourceNames: rolesToBind,
      verbs: ['bind'],
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      // Of administrators: they are bound while they have rules.
      resources: ['clusterroles'],
      resourceNames: [fixedNames.customReflectionRole, fixedNames.customRemoteRole],
      verbs: reading,
    },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests'],
      verbs: ['create', 'delete', ...reading],
    },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests/approval'],
      verbs: ['update'],
    },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['signers'],
      resourceNames: ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client'],
      verbs: ['approve'],
    },
  ],
};

/** In the namespace of the installation: the keys of this cluster, and no other Secret. `create` counts for an apply. */
export function forgeClusterKeysRole(namespace: string): Role {
  const resourceNames = [fixedNames.authenticationKeysSecret];
  return {
    metadata: { name: 'liqo-controller-manager-keys', namespace },
    rules: [
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames,
        verbs: ['create', ...reading, 'patch'],
      },
    ],
  };
}
