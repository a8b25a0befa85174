/** The finalizers of the product, by the object that carries them. */
export const finalizers = {
  tenant: 'tenant.liqo.io/finalizer',
  /** On the Secret with the control-plane kubeconfig: copies may still have to be removed with it. */
  replicator: 'crdreplicator.liqo.io/operator',
  /** On the RoleBinding of the controllers in a tenant namespace: Secrets may still have to be released with its rights. */
  tenantAccess: 'tenant.liqo.io/access',
  /** On an original: its copy may still be there. */
  replicatedResource: 'crdreplicator.liqo.io/resource',
  /** On a slice of this cluster: its virtual nodes go before the provider hears of its end. */
  ownSlice: 'resourceslice-controller.liqo.io/virtual-nodes',
  virtualNode: 'virtualnode-controller.liqo.io/finalizer',
  namespaceOffloading: 'namespaceoffloading-controller.liqo.io/finalizer',
  /**
   * Of the provider's controller. On a pod that runs once, made from a ShadowPod: how it ended is recorded before it goes.
   * On a ShadowPod whose pod runs: its pod ends before it goes, within the grace period that the consumer asks for.
   */
  shadowPod: 'shadowpod-controller.liqo.io/finalizer',
  namespaceMap: 'namespacemap-controller.liqo.io/finalizer',
  foreignCluster: 'api-server-checker.liqo.io/finalizer',
  advertisement: 'sharing.liqo.io/virtualnode',
  /** On an offer of this cluster: the consumer may still use its credentials. */
  ownOffer: 'sharing.liqo.io/offered',
  network: 'network.ipam.liqo.io/finalizer',
  ip: 'ip.ipam.liqo.io/finalizer',
} as const;
