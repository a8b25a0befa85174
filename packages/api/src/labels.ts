/** The label keys of the product, as they are on the wire. A value is named where it can be only one. */
export const labels = {
  /** The other cluster; on nearly every object about a peer. */
  remoteClusterID: 'liqo.io/remote-cluster-id',
  tenantNamespace: 'liqo.io/tenant-namespace',

  /** On an original: `true` asks for a copy at `remoteID`. On the copy: `false`. */
  replication: 'liqo.io/replication',
  /** On an original: where its copy goes. */
  replicationDestination: 'liqo.io/remoteID',
  /** On a copy: where it comes from. */
  replicationOrigin: 'liqo.io/originID',
  /** On a copy: `true`. */
  replicated: 'liqo.io/replicated',
  ownership: 'liqo.io/ownership',

  identityType: 'liqo.io/identity-type',
  nonce: 'liqo.io/nonce',
  signedNonce: 'liqo.io/signed-nonce',
  remoteTenantCsr: 'liqo.io/remote-tenant-csr',
  peeringUserName: 'liqo.io/peering-user-name',

  /** The slice that an Identity or a VirtualNode comes from. */
  resourceSliceName: 'liqo.io/resourceslice-name',
  /** The offer that a VirtualNode comes from. */
  advertisementName: 'liqo.io/advertisement-name',

  /** On a Node: `virtual-node`. */
  type: 'liqo.io/type',
  virtualNode: 'liqo.io/virtual-node',
  /** On a virtual kubelet: `virtual-kubelet`. */
  component: 'offloading.liqo.io/component',

  /** On a namespace at the consumer that has been extended to providers. */
  schedulingEnabled: 'liqo.io/scheduling-enabled',
  /** On a namespace at the consumer: `true` extends it, without a NamespaceOffloading. */
  enabled: 'liqo.io/enabled',
  /** On a pod at the consumer: `true` once it runs at a provider. */
  shadowPod: 'liqo.io/shadowPod',
  remoteUnavailable: 'liqo.io/remote-unavailable',
  creatorUser: 'liqo.io/creator-user',
  managedBy: 'liqo.io/managed-by',
  origin: 'offloading.liqo.io/origin',
  destination: 'offloading.liqo.io/destination',
  nodeName: 'offloading.liqo.io/nodename',
  serviceAccountName: 'offloading.liqo.io/service-account-name',
  podName: 'offloading.liqo.io/pod-name',
  podNamespace: 'offloading.liqo.io/pod-namespace',

  storageAvailable: 'storage.liqo.io/available',
  storageProvisioner: 'liqo.io/storage-provisioner',
  virtualPvcNamespace: 'storage.liqo.io/virtual-pvc-namespace',
  virtualPvcName: 'storage.liqo.io/virtual-pvc-name',

  /** On everything that the product makes, by the default of the chart. */
  managed: 'liqo.io/managed',
  webhook: 'liqo.io/webhook',
  webhookSkip: 'liqo.io/webhook-skip',
  provider: 'liqo.io/provider',
  gatewayResource: 'networking.liqo.io/gateway-resource',
  networkType: 'ipam.liqo.io/network-type',
} as const;

export const labelValues = {
  /** Of `labels.type`. */
  virtualNode: 'virtual-node',
  /** Of `labels.component`. */
  virtualKubelet: 'virtual-kubelet',
  /** Of `labels.managedBy`. */
  managedByShadowPod: 'shadowpod',
  managedByShadowEndpointSlice: 'shadowendpointslice',
  /** Of Kubernetes' own `endpointslice.kubernetes.io/managed-by`. */
  endpointSliceManager: 'endpointslice.reflection.liqo.io',
} as const;
