import type { Pod } from '@liqo/kube';
import type { CpuTimes } from './cpu-meter.ts';
import type { PodUsage } from './pod-usage.ts';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly atMs?: number | undefined;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
}

/** Of a container, a pod or the node. */
interface Consumer {
  readonly labels: Readonly<Record<string, string>>;
  readonly atMs: number | undefined;
  readonly cpuNanoSeconds: number;
  readonly memoryBytes: number;
  readonly startedMs?: number | undefined;
}

/**
 * The kubelet's `/metrics/resource`, in the text format of Prometheus: what metrics-server reads. A pod that nobody has
 * measured is left out, as one that has just begun.
 */
export function resourceMetrics(
  pods: readonly PodUsage[],
  times: readonly CpuTimes[],
  nowMs: number,
): string {
  const known = pods.flatMap((usage, i) =>
    usage.atMs ? [containersOf(usage, times[i] ?? [])] : [],
  );
  const perPod = known.map((containers) => total(containers, podLabels(containers)));
  const node = { ...total(known.flat(), {}), atMs: nowMs };
  return [
    ...print('container', known.flat()),
    printFamily(startTime, startTimes(known.flat())),
    ...print('pod', perPod),
    ...print('node', [node]),
    printFamily(scrapeError, [{ labels: {}, value: 0 }]),
  ].join('');
}

const scrapeError: Family = {
  name: 'resource_scrape_error',
  help: '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
  type: 'gauge',
};

const startTime: Family = {
  name: 'container_start_time_seconds',
  help: '[STABLE] Start time of the container since unix epoch in seconds',
  type: 'gauge',
};

function startTimes(containers: readonly Consumer[]): readonly Sample[] {
  return containers.flatMap(({ labels, startedMs }) =>
    startedMs === undefined ? [] : [{ labels, value: startedMs / 1000 }],
  );
}

function containersOf({ pod, atMs, containers }: PodUsage, times: CpuTimes): readonly Consumer[] {
  const { namespace = '', name } = pod.metadata;
  return containers.map((container, i) => ({
    labels: { container: container.name, namespace, pod: name },
    atMs,
    cpuNanoSeconds: times[i] ?? 0,
    memoryBytes: container.memoryBytes,
    startedMs: startedMs(pod, container.name),
  }));
}

function startedMs({ status }: Pod, container: string): number | undefined {
  const state = status?.containerStatuses?.find(({ name }) => name === container)?.state;
  const ms = Date.parse(state?.running?.startedAt ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

function podLabels([first]: readonly Consumer[]): Readonly<Record<string, string>> {
  const { container: _, ...labels } = first?.labels ?? {};
  return labels;
}

function total(consumers: readonly Consumer[], labels: Consumer['labels']): Consumer {
  const sum = (read: (one: Consumer) => number) =>
    consumers.reduce((all, one) => all + read(one), 0);
  return {
    labels,
    atMs: consumers[0]?.atMs,
    cpuNanoSeconds: sum(({ cpuNanoSeconds }) => cpuNanoSeconds),
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
  };
}

function print(of: string, consumers: readonly Consumer[]): readonly string[] {
  const cpu: Family = {
    name: `${of}_cpu_usage_seconds_total`,
    help: `[STABLE] Cumulative cpu time consumed by the ${of} in core-seconds`,
    type: 'counter',
  };
  const memory: Family = {
    name: `${of}_memory_working_set_bytes`,
    help: `[STABLE] Current working set of the ${of} in bytes`,
    type: 'gauge',
  };
  return [
    printFamily(
      cpu,
      consumers.map((one) => ({ ...one, value: one.cpuNanoSeconds / 1e9 })),
    ),
    printFamily(
      memory,
      consumers.map((one) => ({ ...one, value: one.memoryBytes })),
    ),
  ];
}

function printFamily({ name, help, type }: Family, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels, value, atMs }) => {
    const time = atMs === undefined ? '' : ` ${atMs}`;
    return `${name}${printLabels(labels)} ${value}${time}`;
  });
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')}\n`;
}

function printLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
