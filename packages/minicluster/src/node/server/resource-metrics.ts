import type { PodWorker } from '../pod-worker.ts';
import { type ContainerUsage, usageOf } from './container-usage.ts';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The kubelet's `/metrics/resource`, in the text format of Prometheus: what metrics-server reads. */
export function resourceMetrics(workers: Iterable<PodWorker>, nowMs: number): string {
  const pods = [...workers].map((worker) => ({ worker, usage: usageOf(worker, nowMs) }));
  const containers = pods.flatMap(({ worker, usage }) =>
    usage.map((one) => ({ one, labels: { container: one.name, ...podLabels(worker) } })),
  );
  const perContainer = (read: (one: ContainerUsage) => number) =>
    containers.map(({ one, labels }) => ({ labels, value: read(one) }));
  const perPod = (read: (one: ContainerUsage) => number) =>
    pods.map(({ worker, usage }) => ({ labels: podLabels(worker), value: sum(usage, read) }));
  const all = containers.map(({ one }) => one);
  const onNode = (read: (one: ContainerUsage) => number) => [{ labels: {}, value: sum(all, read) }];
  return [
    counter('container_cpu_usage_seconds_total', 'container', perContainer(cpuSeconds), nowMs),
    gauge('container_memory_working_set_bytes', 'container', perContainer(memoryBytes), nowMs),
    startTimes(perContainer(({ startedMs }) => startedMs / 1000)),
    counter('node_cpu_usage_seconds_total', 'node', onNode(cpuSeconds), nowMs),
    gauge('node_memory_working_set_bytes', 'node', onNode(memoryBytes), nowMs),
    counter('pod_cpu_usage_seconds_total', 'pod', perPod(cpuSeconds), nowMs),
    gauge('pod_memory_working_set_bytes', 'pod', perPod(memoryBytes), nowMs),
    scrapeError,
  ].join('');
}

const cpuSeconds = ({ cpuNanoSeconds }: ContainerUsage) => cpuNanoSeconds / 1e9;
const memoryBytes = (one: ContainerUsage) => one.memoryBytes;

const scrapeError = family(
  'resource_scrape_error',
  '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
  'gauge',
  [{ labels: {}, value: 0 }],
);

function counter(name: string, of: string, samples: readonly Sample[], atMs: number): string {
  const help = `[STABLE] Cumulative cpu time consumed by the ${of} in core-seconds`;
  return family(name, help, 'counter', samples, atMs);
}

function gauge(name: string, of: string, samples: readonly Sample[], atMs: number): string {
  return family(name, `[STABLE] Current working set of the ${of} in bytes`, 'gauge', samples, atMs);
}

function startTimes(samples: readonly Sample[]): string {
  const help = '[STABLE] Start time of the container since unix epoch in seconds';
  return family('container_start_time_seconds', help, 'gauge', samples);
}

function family(
  name: string,
  help: string,
  type: 'counter' | 'gauge',
  samples: readonly Sample[],
  atMs?: number,
): string {
  if (samples.length === 0) return '';
  const time = atMs === undefined ? '' : ` ${atMs}`;
  const lines = samples.map(
    ({ labels, value }) => `${name}${formatLabels(labels)} ${value}${time}`,
  );
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')}\n`;
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function podLabels({ pod }: PodWorker): Readonly<Record<string, string>> {
  return { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name };
}

function sum(usage: readonly ContainerUsage[], read: (one: ContainerUsage) => number): number {
  return usage.reduce((total, one) => total + read(one), 0);
}
