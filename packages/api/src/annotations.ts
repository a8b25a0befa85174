/** The annotation keys of the product, as they are on the wire. */
export const annotations = {
  /** On a ResourceSlice: non-empty and not `false` makes a VirtualNode of it. */
  createVirtualNode: 'liqo.io/create-virtual-node',
  /** On an Advertisement: the name of the VirtualNode to make. */
  virtualNodeName: 'liqo.io/virtual-node-name',
  /** On a ClusterConfig: the last spec that was valid, as JSON. It stays in force while the present one is not. */
  lastValidConfig: 'liqo.io/last-valid-config',
  /** On a ResourceSlice at the provider: no new pods. */
  cordon: 'liqo.io/cordon',
  /** The same, because the whole tenant is cordoned. */
  cordonTenant: 'liqo.io/cordon-tenant',

  /** On a Node: why the controllers have cordoned it. */
  cordonReason: 'liqo.io/cordon-reason',

  /** On a NamespaceOffloading made for the label `liqo.io/enabled`: the UID of its namespace. */
  enabledNamespace: 'liqo.io/enabled-namespace',

  remoteTenantNamespace: 'liqo.io/remote-tenant-namespace',
  /** On a tenant namespace at the provider: which nonce the consumer may sign, and until when. */
  issuedNonce: 'liqo.io/issued-nonce',
  /** On a CertificateSigningRequest for a consumer: `<namespace>/<name>` of the Secret that keeps the certificate. */
  certificateSecret: 'liqo.io/certificate-secret',
  /** On a namespace made for a consumer: `<tenant namespace>/<name of the NamespaceMap>`. */
  managedByNamespaceMap: 'liqo.io/managed-by-namespace-map',
  /** On a namespace made for a consumer: what it is called there. */
  originalName: 'liqo.io/original-name',

  skipReflection: 'liqo.io/skip-reflection',
  allowReflection: 'liqo.io/allow-reflection',
  forceRemoteNodePort: 'liqo.io/force-remote-node-port',
  useDirectConnections: 'liqo.io/use-direct-connections',
  directConnectionsData: 'liqo.io/direct-connections-data',
  antiAffinityPreset: 'liqo.io/anti-affinity-preset',
  antiAffinityLabels: 'liqo.io/anti-affinity-labels',
  apiServerSupport: 'liqo.io/api-server-support',
  remoteServiceAccountName: 'liqo.io/remote-service-account-name',
  remoteRuntimeClassName: 'liqo.io/remote-runtime-class-name',
  remoteStorageClass: 'liqo.io/remote-storage-class',
  remoteAccessModes: 'liqo.io/remote-access-modes',

  /** On the pods of a virtual kubelet: another value rolls them. */
  offloadingPatchHash: 'liqo.io/offloading-patch-hash',
  permanentlyUnreachable: 'liqo.io/foreign-cluster-permanently-unreachable',
  preinstalled: 'liqo.io/preinstalled',
  uninstalling: 'liqo.io/uninstalling',
  webhookServiceName: 'liqo.io/webhook-service-name',
  /** On a ShadowPod, and on the pod made of it: the UID of the pod at the consumer. Names lie, UIDs do not. */
  podUid: 'offloading.liqo.io/pod-uid',
  /** On what others label and annotate too: which of its keys we have set. */
  appliedMetadata: 'liqo.io/applied-metadata',
  /** On a claim at a provider: the UID of the claim at the consumer whose data it has. */
  claimUid: 'offloading.liqo.io/claim-uid',
  /** On a Node: which of its taints we have set. */
  appliedTaints: 'liqo.io/applied-taints',
  /** On a ShadowPod that is deleted: how long its pod has to end, where it is not what the pod itself says. */
  deletionGracePeriodSeconds: 'offloading.liqo.io/deletion-grace-period-seconds',
  serviceAccountForPodName: 'offloading.liqo.io/service-account-for-pod-name',
  serviceAccountForPodUid: 'offloading.liqo.io/service-account-for-pod-uid',
  serviceAccountExpiration: 'offloading.liqo.io/service-account-expiration',
} as const;
