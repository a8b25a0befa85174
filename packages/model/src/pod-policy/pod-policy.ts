/** What a provider allows in the pods of its consumers, apart from what Pod Security and Kubernetes itself check. */
export interface PodPolicy {
  /** Volume types, as the fields of a volume are called. */
  readonly volumeTypes: readonly string[];
  /** Service accounts that pods may run as and have tokens of: names, or `*`. */
  readonly serviceAccounts: readonly string[];
  /** Names, or `*`. */
  readonly runtimeClasses: readonly string[];
  /** Of every pod; empty for the default of the cluster. */
  readonly priorityClassName: string;
  /** Taints that are not tolerated, by the beginning of their key. */
  readonly deniedTolerations: readonly string[];
  /** Labels by which no node is chosen, by the beginning of their key. */
  readonly deniedNodeLabels: readonly string[];
  /** Annotations and labels that are removed, by the beginning of their key. */
  readonly deniedAnnotations: readonly string[];
}

export const defaultPodPolicy: PodPolicy = {
  volumeTypes: [
    'configMap',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'image',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ],
  serviceAccounts: [],
  runtimeClasses: ['*'],
  priorityClassName: '',
  deniedTolerations: [
    'node-role.kubernetes.io/',
    // Nodes that are not ready, under pressure, cordoned or out of service.
    'node.kubernetes.io/',
    'node.cloudprovider.kubernetes.io/',
    // Virtual nodes of the provider: the pod would go to a third cluster.
    'virtual-node.liqo.io/',
    // Nodes that are about to be removed.
    'ToBeDeletedByClusterAutoscaler',
    'DeletionCandidateOfClusterAutoscaler',
    'karpenter.sh/',
  ],
  deniedNodeLabels: [
    'node-role.kubernetes.io/',
    // Protected from kubelets, to keep workloads apart.
    'node-restriction.kubernetes.io/',
  ],
  deniedAnnotations: [
    // Devices, hooks and settings of container runtimes.
    'cdi.k8s.io/',
    'devices.nri.io',
    'network-device-injector.nri.io',
    'ulimits.nri.containerd.io',
    'io.containerd.',
    'io.katacontainers.',
    'io.kubernetes.cri',
    'cpu-c-states.crio.io',
    'cpu-freq-governor.crio.io',
    'cpu-load-balancing.crio.io',
    'cpu-quota.crio.io',
    'irq-load-balancing.crio.io',
    // Further networks, and chosen addresses.
    'k8s.v1.cni.cncf.io/',
    'v1.multus-cni.io/',
    'cni.projectcalico.org/',
    'cni.cilium.io/',
    'io.cilium',
    'k8s.ovn.org/',
    'ovn.kubernetes.io/',
    // Identities of clouds, and secrets from vaults.
    'aadpodidbinding',
    'azure.workload.identity/',
    'eks.amazonaws.com/',
    'iam.amazonaws.com/',
    'iam.gke.io/',
    'vault.hashicorp.com/',
    // Sidecars that are injected, and agents that run what an annotation says.
    'ad.datadoghq.com/',
    'co.elastic.',
    'config.linkerd.io/',
    'inject.istio.io/',
    'instrumentation.opentelemetry.io/',
    'proxy.istio.io/',
    'sidecar.istio.io/',
    // Nodes that cannot be removed because of the pod.
    'cluster-autoscaler.kubernetes.io/',
    'karpenter.sh/',
    // Pods that a kubelet has made by itself.
    'kubernetes.io/config.',
  ],
};

/** `*` stands for every beginning. */
export function startsWithAny(key: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => beginning === '*' || key.startsWith(beginning));
}

/** Whether a list of names, or `*`, has this one. */
export function isListed(name: string, names: readonly string[]): boolean {
  return names.includes(name) || names.includes('*');
}
