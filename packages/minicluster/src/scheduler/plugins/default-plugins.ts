import type { FilterPlugin, ScorePlugin } from '../plugin.ts';
import { balancedAllocation } from './balanced-allocation.ts';
import { evenSpread } from './even-spread.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { leastAllocated } from './least-allocated.ts';
import { nodeAffinity, preferredNodes } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { preferredNeighbours } from './preferred-neighbours.ts';
import { fewTaints, taintToleration } from './taint-toleration.ts';
import { volumeBinding } from './volume-binding.ts';

/** In kube-scheduler's order: the first one that rejects a node gives the reason. */
export const filterPlugins: readonly FilterPlugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeBinding,
  podTopologySpread,
  interPodAffinity,
];

export const scorePlugins: readonly ScorePlugin[] = [
  fewTaints,
  preferredNodes,
  leastAllocated,
  evenSpread,
  preferredNeighbours,
  balancedAllocation,
];
