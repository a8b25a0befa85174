export interface KubeletLayout {
  readonly address: string;
  readonly cgroupRoot: string;
  readonly clientCa: string;
  readonly servingCertificate: string;
  readonly servingKey: string;
  readonly resolvConf: string;
}

/** As kubeadm configures a kubelet, except for what a small shared machine needs. */
export function kubeletConfig(layout: KubeletLayout): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: layout.address,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: layout.clientCa },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: layout.servingCertificate,
    tlsPrivateKeyFile: layout.servingKey,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    cgroupDriver: 'cgroupfs',
    cgroupRoot: layout.cgroupRoot,
    failCgroupV1: false,
    failSwapOn: false,
    clusterDomain: 'cluster.local',
    resolvConf: layout.resolvConf,
    healthzBindAddress: '127.0.0.1',
    readOnlyPort: 0,
    volumePluginDir: '/var/lib/kubelet/volume-plugins',
    makeIPTablesUtilChains: false,
    oomScoreAdj: 0,
    // The disk is that of a whole machine, and none of a node's business.
    imageGCHighThresholdPercent: 100,
    evictionHard: {
      'memory.available': '50Mi',
      'nodefs.available': '0%',
      'imagefs.available': '0%',
    },
    // How soon a changed secret is a changed file.
    syncFrequency: '10s',
  };
}
