import { formatTime } from '@liqo/kube';
import type { CpuTimes } from './cpu-meter.ts';
import type { ContainerUsage, PodUsage } from './pod-usage.ts';

export interface NodeForStats {
  readonly nodeName: string;
  readonly startedMs: number;
  readonly nowMs: number;
}

interface Measured extends ContainerUsage {
  readonly cpuNanoSeconds: number;
}

/** The kubelet's `/stats/summary`: what the node, its pods and their containers use. */
export function statsSummary(
  pods: readonly PodUsage[],
  times: readonly CpuTimes[],
  { nodeName, startedMs, nowMs }: NodeForStats,
): object {
  const measured = pods.map((usage, i) => withTimes(usage, times[i] ?? []));
  const node = { nodeName, startTime: formatTime(startedMs) };
  return {
    node: { ...node, ...usageFields(measured.flat(), formatTime(nowMs)) },
    pods: pods.map((usage, i) => podStats(usage, measured[i] ?? [], nowMs)),
  };
}

function withTimes({ containers }: PodUsage, times: CpuTimes): readonly Measured[] {
  return containers.map((one, i) => ({ ...one, cpuNanoSeconds: times[i] ?? 0 }));
}

function podStats({ pod, atMs }: PodUsage, containers: readonly Measured[], nowMs: number): object {
  const { name, namespace, uid } = pod.metadata;
  const time = formatTime(atMs ?? nowMs);
  const startTime = pod.status?.startTime ?? pod.metadata.creationTimestamp;
  return {
    podRef: { name, namespace, uid },
    startTime,
    containers: containers.map((one) => ({
      name: one.name,
      startTime,
      ...usageFields([one], time),
    })),
    ...usageFields(containers, time),
  };
}

function usageFields(containers: readonly Measured[], time: string): object {
  const sum = (read: (one: Measured) => number) =>
    containers.reduce((total, one) => total + read(one), 0);
  const memory = sum(({ memoryBytes }) => memoryBytes);
  return {
    cpu: {
      time,
      usageNanoCores: sum(({ nanoCores }) => nanoCores),
      usageCoreNanoSeconds: sum(({ cpuNanoSeconds }) => cpuNanoSeconds),
    },
    memory: { time, usageBytes: memory, workingSetBytes: memory },
  };
}
