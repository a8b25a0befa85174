/** The finalizers of the product, by the object that carries them. */
export const finalizers = {
  tenant: 'tenant.liqo.io/finalizer',
  /** On the Secret with the control-plane kubeconfig: copies may still have to be removed with it. */
  replicator: 'crdreplicator.liqo.io/operator',
  /** On an original: its copy may still be there. */
  replicatedResource: 'crdreplicator.liqo.io/resource',
  virtualNode: 'virtualnode-controller.liqo.io/finalizer',
  namespaceOffloading: 'namespaceoffloading-controller.liqo.io/finalizer',
  /** On a pod that runs once, made of a ShadowPod: how it ended must be written down before it goes. */
  shadowPod: 'shadowpod-controller.liqo.io/finalizer',
  namespaceMap: 'namespacemap-controller.liqo.io/finalizer',
  foreignCluster: 'api-server-checker.liqo.io/finalizer',
  advertisement: 'sharing.liqo.io/virtualnode',
  network: 'network.ipam.liqo.io/finalizer',
  ip: 'ip.ipam.liqo.io/finalizer',
} as const;
