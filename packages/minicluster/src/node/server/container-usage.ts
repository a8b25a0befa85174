import { parseQuantity, quantityMilliValue, quantityValue } from '@liqo/kube';
import type { ContainerRunner } from '../containers/container-runner.ts';
import { simulationPrefix } from '../containers/simulation.ts';
import type { PodWorker } from '../pod-worker.ts';

/** What a running container uses. */
export interface ContainerUsage {
  readonly name: string;
  readonly startedMs: number;
  readonly cpuNanoCores: number;
  /** Since its start. */
  readonly cpuNanoSeconds: number;
  readonly memoryBytes: number;
}

/**
 * Nobody measures containers here: they use what the annotations `cpu-usage` and `memory-usage` of their pod say, or
 * else what they requested.
 */
export function usageOf(worker: PodWorker, nowMs: number): readonly ContainerUsage[] {
  return worker.containers.flatMap((runner) => {
    const startedAt = runner.view.state.running?.startedAt;
    return startedAt ? [measure(worker, runner, Date.parse(startedAt), nowMs)] : [];
  });
}

function measure(
  worker: PodWorker,
  runner: ContainerRunner,
  startedMs: number,
  nowMs: number,
): ContainerUsage {
  const milliCores = Number(quantityMilliValue(parseQuantity(amountOf(worker, runner, 'cpu'))));
  const ranMs = Math.max(0, nowMs - startedMs);
  return {
    name: runner.name,
    startedMs,
    cpuNanoCores: milliCores * 1e6,
    cpuNanoSeconds: milliCores * 1e3 * ranMs,
    memoryBytes: Number(quantityValue(parseQuantity(amountOf(worker, runner, 'memory')))),
  };
}

function amountOf(worker: PodWorker, runner: ContainerRunner, name: 'cpu' | 'memory'): string {
  const { annotations } = worker.pod.metadata;
  const stated =
    annotations?.[`${simulationPrefix}${name}-usage.${runner.name}`] ??
    annotations?.[`${simulationPrefix}${name}-usage`];
  return stated ?? runner.view.spec.resources?.requests?.[name] ?? '0';
}
