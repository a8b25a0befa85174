/**
 * The names of the objects that the product makes, as peers and users expect them.
 * The one of a Quota needs a digest and is therefore elsewhere: this package has no cryptography.
 */
export const fixedNames = {
  liqoNamespace: 'liqo',
  /** The ServiceAccount, the Deployment and the ClusterRole of the controllers. */
  controllerManager: 'liqo-controller-manager',
  /** What the controllers may do in tenant namespaces: the ClusterRole, and the RoleBinding in each of them. */
  controllerManagerTenantRole: 'liqo-controller-manager-tenant',
  /** The ServiceAccount, the Deployment, the Service and the configurations of the webhooks. */
  webhook: 'liqo-webhook',
  /** ClusterRoles that an administrator may create: bound where the roles for the kinds of Kubernetes are bound. */
  customReflectionRole: 'liqo-virtual-kubelet-custom-reflection',
  customRemoteRole: 'liqo-virtual-kubelet-custom-remote',
  /** Their Secret, and what gives them the right to it. */
  webhookCertificates: 'liqo-webhook-certs',
  storageNamespace: 'liqo-storage',
  clusterIDConfigMap: 'liqo-clusterid-configmap',
  authenticationKeysSecret: 'authentication-keys',
  nonceSecret: 'liqo-nonce',
  /** The kubeconfig of an offer, at the provider and at the consumer: one for each tenant namespace. */
  offerKubeconfigSecret: 'kubeconfig-offer',
  /** At a provider: the certificate in it. */
  offerCertificateSecret: 'liqo-offer-certificate',
  signedNonceSecret: 'liqo-signed-nonce',
  namespaceOffloading: 'offloading',
  clusterConfig: 'configuration',
  defaultVkOptionsTemplate: 'virtual-kubelet-default',
  runtimeClass: 'liqo',
  storageClass: 'liqo',
  defaultResourceSliceClass: 'default',
} as const;

/** Where a cluster tells everybody it knows who it is; not of Liqo, which tells nobody. The key is "CLUSTER_ID". */
export const clusterIDInPublic = { namespace: 'kube-public', name: 'liqo-cluster-id' } as const;

export function tenantNamespaceName(remoteClusterID: string): string {
  return `liqo-tenant-${remoteClusterID}`;
}

export function controlPlaneIdentityName(providerClusterID: string): string {
  return `controlplane-${providerClusterID}`;
}

export function resourceSliceIdentityName(resourceSliceName: string): string {
  return `resourceslice-${resourceSliceName}`;
}

export function kubeconfigSecretName(identityName: string): string {
  return `kubeconfig-${identityName}`;
}

/** Without a slice: the certificate of the control plane. */
export function remoteCertificateSecretName(resourceSliceName?: string): string {
  const suffix = resourceSliceName === undefined ? '' : `-${resourceSliceName}`;
  return `liqo-remote-certificate${suffix}`;
}

/** A provider has one offer for a consumer. */
export function advertisementName(providerClusterID: string): string {
  return `advertisement-${providerClusterID}`;
}

/** The virtual node of an offer. Its name is a label: that of a long cluster ID is cut. */
export function offerVirtualNodeName(providerClusterID: string): string {
  return `liqo-${providerClusterID}`.slice(0, 63).replace(/-+$/, '');
}

export function virtualKubeletName(virtualNodeName: string): string {
  return `vk-${virtualNodeName}`;
}

export function virtualKubeletBindingName(virtualNodeName: string): string {
  return `liqo-node-${virtualNodeName}`.slice(0, 253);
}

/** What lets a virtual kubelet ask for tokens, where pods over there may call the API server here. */
export function virtualKubeletTokensBindingName(virtualNodeName: string): string {
  return `liqo-node-tokens-${virtualNodeName}`.slice(0, 253);
}

/** The Lease of the virtual kubelets of one provider, in their tenant namespace: its holder reflects for all of them. */
export function reflectionLeaseName(providerClusterID: string): string {
  return `virtual-kubelet-leader-election-${providerClusterID}`;
}

/** The name of a namespace at a provider, with the strategy DefaultName. */
export function defaultRemoteNamespaceName(namespace: string, consumerClusterID: string): string {
  return `${namespace}-${consumerClusterID}`;
}

export function serviceAccountTokenSecretName(podName: string): string {
  return `${podName}-token`;
}

/** Ends in a letter or digit, whatever the cluster ID: a name may not end in a hyphen. */
export function rootCaConfigMapName(consumerClusterID: string): string {
  const suffix = consumerClusterID.slice(0, 5);
  return `kube-root-ca.crt.${suffix}${/[a-z0-9]$/i.test(suffix) ? '' : 'a'}`;
}
