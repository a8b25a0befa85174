import type { NodeInfo } from '../../scheduler/node-info.ts';
import type { PodInfo } from '../../scheduler/pod-info.ts';
import { admitPod } from '../admission/admit-pod.ts';

/** Why a pod cannot be resized: not yet, or never. */
export interface ResizeObstacle {
  readonly reason: 'Deferred' | 'Infeasible';
  readonly message: string;
}

/** Whether a node has room for the pod as it wants to be. `node` holds the other pods of the node. */
export function judgeResize(pod: PodInfo, node: NodeInfo): ResizeObstacle | undefined {
  for (const resource of ['memory', 'cpu']) {
    const wanted = pod.requests.get(resource) ?? 0;
    const capacity = node.allocatable.get(resource) ?? 0;
    if (wanted <= capacity) continue;
    const amounts = `${resource}, requested: ${wanted}, capacity: ${capacity}`;
    const message = `Node didn't have enough capacity: ${amounts}`;
    return { reason: 'Infeasible', message };
  }
  const refusal = admitPod(pod, node);
  return refusal && { reason: 'Deferred', message: refusal.message };
}
