import type { Pod, Stored } from '@liqo/kube';
import { portsConflict } from '../../scheduler/host-port.ts';
import type { NodeInfo } from '../../scheduler/node-info.ts';
import { matchesRequiredNodes } from '../../scheduler/plugins/node-affinity.ts';
import { tolerates } from '../../scheduler/plugins/tolerations.ts';
import type { PodInfo } from '../../scheduler/pod-info.ts';

/** Why a node does not take a pod that was bound to it. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/**
 * What a kubelet checks before it runs a pod, whoever bound it: the first thing that speaks against it. `node` holds the
 * other pods of the node.
 */
export function admitPod(pod: PodInfo, node: NodeInfo): Refusal | undefined {
  return (
    refuseOs(pod.pod) ??
    refuseFull(node) ??
    refuseShort(pod, node) ??
    refusePlace(pod, node) ??
    refuseTainted(pod, node)
  );
}

function refuseOs({ metadata, spec }: Stored<Pod>): Refusal | undefined {
  const label = metadata.labels?.['kubernetes.io/os'];
  if (label !== undefined && label !== 'linux') {
    const message = "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label";
    return { reason: 'PodOSSelectorNodeLabelDoesNotMatch', message };
  }
  if (!spec?.os || spec.os.name === 'linux') return undefined;
  const message = "Failed to admit pod as the OS field doesn't match node OS";
  return { reason: 'PodOSNotSupported', message };
}

function refuseFull(node: NodeInfo): Refusal | undefined {
  const capacity = node.allocatable.get('pods') ?? 0;
  return node.podCount + 1 > capacity ? outOf('pods', 1, node.podCount, capacity) : undefined;
}

const basics: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** Extended resources that the node knows nothing of may be the cluster's, and are not for it to judge. */
function refuseShort(pod: PodInfo, node: NodeInfo): Refusal | undefined {
  const others = [...pod.requests.keys()].filter((name) => !basics.includes(name));
  const known = others.filter((name) => !name.includes('/') || node.allocatable.has(name));
  for (const name of [...basics, ...known]) {
    const wanted = pod.requests.get(name) ?? 0;
    const used = node.requested.get(name) ?? 0;
    const capacity = node.allocatable.get(name) ?? 0;
    if (wanted > 0 && wanted > capacity - used) return outOf(name, wanted, used, capacity);
  }
  return undefined;
}

function outOf(resource: string, wanted: number, used: number, capacity: number): Refusal {
  const amounts = `requested: ${wanted}, used: ${used}, capacity: ${capacity}`;
  const message = `Node didn't have enough resource: ${resource}, ${amounts}`;
  return { reason: `OutOf${resource}`, message };
}

function refusePlace(pod: PodInfo, node: NodeInfo): Refusal | undefined {
  if (!matchesRequiredNodes(pod.pod, node.node)) {
    return predicateFailed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  }
  const taken = [...node.pods()].flatMap(({ hostPorts }) => hostPorts);
  const isFree = pod.hostPorts.every((port) => !taken.some((one) => portsConflict(port, one)));
  if (isFree) return undefined;
  return predicateFailed('NodePorts', "node(s) didn't have free ports for the requested pod ports");
}

/** Only what would drive the pod out again counts. */
function refuseTainted(pod: PodInfo, node: NodeInfo): Refusal | undefined {
  const taints = (node.node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  if (taints.every((taint) => tolerates(pod.pod.spec?.tolerations, taint))) return undefined;
  return predicateFailed('TaintToleration', "node(s) had taints that the pod didn't tolerate");
}

function predicateFailed(reason: string, fact: string): Refusal {
  return { reason, message: `Predicate ${reason} failed: ${fact}` };
}
