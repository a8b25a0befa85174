import { formatTime } from '@liqo/kube';
import type { PodWorker } from '../pod-worker.ts';
import { type ContainerUsage, usageOf } from './container-usage.ts';

export interface NodeInfoForStats {
  readonly nodeName: string;
  readonly startedMs: number;
  readonly nowMs: number;
}

/** The kubelet's `/stats/summary`: what the node, its pods and their containers use. */
export function statsSummary(workers: Iterable<PodWorker>, node: NodeInfoForStats): object {
  const pods = [...workers].map((worker) => ({ worker, usage: usageOf(worker, node.nowMs) }));
  const all = pods.flatMap(({ usage }) => usage);
  const time = formatTime(node.nowMs);
  return {
    node: {
      nodeName: node.nodeName,
      startTime: formatTime(node.startedMs),
      ...usageFields(all, time),
    },
    pods: pods.map(({ worker, usage }) => podStats(worker, usage, time)),
  };
}

function podStats(worker: PodWorker, usage: readonly ContainerUsage[], time: string): object {
  const { name, namespace, uid } = worker.pod.metadata;
  return {
    podRef: { name, namespace, uid },
    startTime: worker.status.startTime,
    containers: usage.map((container) => ({
      name: container.name,
      startTime: formatTime(container.startedMs),
      ...usageFields([container], time),
    })),
    ...usageFields(usage, time),
  };
}

function usageFields(usage: readonly ContainerUsage[], time: string): object {
  const sum = (read: (one: ContainerUsage) => number) =>
    usage.reduce((total, one) => total + read(one), 0);
  const memory = sum(({ memoryBytes }) => memoryBytes);
  return {
    cpu: {
      time,
      usageNanoCores: sum(({ cpuNanoCores }) => cpuNanoCores),
      usageCoreNanoSeconds: sum(({ cpuNanoSeconds }) => cpuNanoSeconds),
    },
    memory: { time, usageBytes: memory, workingSetBytes: memory, rssBytes: memory },
  };
}
