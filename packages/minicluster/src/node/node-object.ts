import { formatTime, type Node } from '@liqo/kube';
import type { NodeCondition, NodeStatus, Taint } from 'kubernetes-types/core/v1.d.ts';

const kubeletVersion = 'v1.35.4';

/** What a node says of itself. */
export interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly capacity: Readonly<Record<string, string>>;
  readonly address: string;
  /** The range of its pods; absent where the node was not told one. */
  readonly podCidr: string | undefined;
  /** Where its kubelet answers; absent when it does not. */
  readonly kubeletPort: number | undefined;
}

const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: '8',
  memory: '16Gi',
  'ephemeral-storage': '100Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  pods: '110',
};

/** The object as a kubelet registers it. */
export function forgeNode(facts: NodeFacts): Node {
  const { podCidr, taints } = facts;
  const spec = {
    ...(podCidr && { podCIDR: podCidr, podCIDRs: [podCidr] }),
    ...(taints.length > 0 && { taints: [...taints] }),
  };
  return {
    metadata: {
      name: facts.name,
      labels: { ...standardLabels(facts.name), ...facts.labels },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    ...(Object.keys(spec).length > 0 && { spec }),
  };
}

export function standardLabels(name: string): Readonly<Record<string, string>> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  };
}

export function forgeNodeStatus(facts: NodeFacts, before: NodeStatus, nowMs: number): NodeStatus {
  const { name, address, kubeletPort } = facts;
  const capacity = { ...defaultCapacity, ...facts.capacity };
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    ...(kubeletPort !== undefined && {
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    }),
    nodeInfo: {
      architecture: 'amd64',
      bootID: '',
      containerRuntimeVersion: 'containerd://2.2.0',
      kernelVersion: '6.12.0',
      kubeProxyVersion: '',
      kubeletVersion,
      machineID: '',
      operatingSystem: 'linux',
      osImage: 'minicluster',
      systemUUID: '',
    },
    conditions: healthyConditions(before.conditions ?? [], formatTime(nowMs)),
  };
}

/** All is well. Conditions that were the same before keep the time at which they became so. */
function healthyConditions(before: readonly NodeCondition[], now: string): NodeCondition[] {
  return healthy.map(([type, status, reason, message]) => {
    const old = before.find((condition) => condition.type === type);
    const lastTransitionTime = (old?.status === status && old.lastTransitionTime) || now;
    return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime };
  });
}

const healthy: readonly (readonly [string, string, string, string])[] = [
  [
    'MemoryPressure',
    'False',
    'KubeletHasSufficientMemory',
    'kubelet has sufficient memory available',
  ],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];
