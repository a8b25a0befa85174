export interface KubeProxyLayout {
  readonly kubeconfig: string;
  readonly nodeName: string;
  /** The addresses for pods of the whole cluster. */
  readonly clusterPods: string;
}

export function kubeProxyConfig(layout: KubeProxyLayout): object {
  const unchanged = {
    maxPerCore: 0,
    min: 0,
    tcpEstablishedTimeout: '0s',
    tcpCloseWaitTimeout: '0s',
  };
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    bindAddress: '0.0.0.0',
    hostnameOverride: layout.nodeName,
    clientConnection: { kubeconfig: layout.kubeconfig },
    clusterCIDR: layout.clusterPods,
    detectLocalMode: 'ClusterCIDR',
    oomScoreAdj: 0,
    // Limits of connection tracking belong to the kernel of the machine.
    conntrack: unchanged,
    nftables: { minSyncPeriod: '100ms' },
  };
}
