import type { Pod, Stored } from '@liqo/kube';
import type {
  ContainerStateTerminated,
  ContainerStatus,
  PodSpec,
  PodStatus,
} from 'kubernetes-types/core/v1.d.ts';

/** A pod in the few words of `kubectl get`. */
interface PodSummary {
  /** `Running`, `CrashLoopBackOff`, `Init:0/2`, `Terminating` … */
  readonly reason: string;
  readonly ready: number;
  readonly containers: number;
  readonly restarts: number;
  /** When a container last ended before it was restarted; empty if none did. */
  readonly lastRestart: string;
}

export function summarizePod(pod: Stored<Pod>): PodSummary {
  const { spec, status = {} } = pod;
  const initial = summarizeInit(spec, status.initContainerStatuses ?? []);
  const isInitialized = conditionIs(status, 'Initialized', 'True');
  const summary =
    initial.blockedBy !== undefined && !isInitialized
      ? { ...initial, reason: initial.blockedBy }
      : summarizeRunning(status, initial);
  const { ready, restarts, lastRestart } = summary;
  const containers = (spec?.containers ?? []).length + sidecars(spec).size;
  return { reason: endOf(pod) ?? summary.reason, ready, containers, restarts, lastRestart };
}

/** A pod that is being deleted says so, unless it came to its own end before. */
function endOf({ metadata, status }: Stored<Pod>): string | undefined {
  if (!metadata.deletionTimestamp) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Failed' || status?.phase === 'Succeeded' ? undefined : 'Terminating';
}

interface InitSummary {
  /** Why the pod is not through with its init containers; undefined when it is. */
  readonly blockedBy: string | undefined;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
  readonly sidecarRestarts: number;
  readonly sidecarLastRestart: string;
}

/** Init containers up to the first that is still at work. Sidecars among them count as containers once started. */
function summarizeInit(
  spec: PodSpec | undefined,
  statuses: readonly ContainerStatus[],
): InitSummary {
  const restartable = sidecars(spec);
  const total = (spec?.initContainers ?? []).length;
  const working = statuses.findIndex((status) => isAtWork(status, restartable));
  const seen = working < 0 ? statuses : statuses.slice(0, working + 1);
  const through = working < 0 ? statuses : statuses.slice(0, working);
  const sidecarStatuses = seen.filter(({ name }) => restartable.has(name));
  const current = statuses[working];
  return {
    blockedBy: current && reasonOfInit(current, working, total),
    ready: through.filter((status) => status.ready && !hasSucceeded(status)).length,
    restarts: restartsOf(seen),
    lastRestart: lastEnd(seen),
    sidecarRestarts: restartsOf(sidecarStatuses),
    sidecarLastRestart: lastEnd(sidecarStatuses),
  };
}

function sidecars(spec: PodSpec | undefined): ReadonlySet<string> {
  const containers = spec?.initContainers ?? [];
  return new Set(
    containers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
}

function isAtWork(status: ContainerStatus, restartable: ReadonlySet<string>): boolean {
  if (hasSucceeded(status)) return false;
  return !(restartable.has(status.name) && status.started === true);
}

function hasSucceeded({ state }: ContainerStatus): boolean {
  return state?.terminated?.exitCode === 0;
}

function reasonOfInit({ state }: ContainerStatus, index: number, total: number): string {
  if (state?.terminated) return `Init:${reasonOfEnd(state.terminated)}`;
  const waiting = state?.waiting?.reason;
  if (waiting && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${total}`;
}

function reasonOfEnd({ reason, signal, exitCode }: ContainerStateTerminated): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function summarizeRunning(status: PodStatus, initial: InitSummary): Omit<PodSummary, 'containers'> {
  const statuses = status.containerStatuses ?? [];
  const running = statuses.filter(({ ready, state }) => {
    return ready && state?.running && !state.waiting?.reason && !state.terminated;
  });
  const ends = [initial.sidecarLastRestart, lastEnd(statuses)];
  return {
    reason: reasonOfContainers(status, initial.blockedBy, running.length > 0),
    ready: initial.ready + running.length,
    restarts: initial.sidecarRestarts + restartsOf(statuses),
    lastRestart: latest(ends),
  };
}

/** The first container that waits or has ended speaks for the pod. */
function reasonOfContainers(
  status: PodStatus,
  blockedBy: string | undefined,
  hasRunning: boolean,
): string {
  const statuses = status.containerStatuses ?? [];
  const reasons = statuses.map(reasonOfContainer);
  const reason = reasons.find((one) => one !== undefined) ?? blockedBy ?? phaseReason(status);
  if (reason !== 'Completed') return reason;
  if (hasRunning && conditionIs(status, 'Ready', 'True')) return 'Running';
  const failed = statuses.find(
    ({ state }) => isFailure(state?.terminated) && !state?.waiting?.reason,
  );
  if (failed?.state?.terminated) return reasonOfEnd(failed.state.terminated);
  return hasRunning ? 'NotReady' : reason;
}

function reasonOfContainer({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  return state?.terminated && reasonOfEnd(state.terminated);
}

function isFailure(terminated: ContainerStateTerminated | undefined): boolean {
  return terminated !== undefined && terminated.exitCode !== 0;
}

function phaseReason(status: PodStatus): string {
  const isGated = (status.conditions ?? []).some(({ type, reason }) => {
    return type === 'PodScheduled' && reason === 'SchedulingGated';
  });
  return isGated ? 'SchedulingGated' : status.reason || status.phase || '';
}

function conditionIs(status: PodStatus, type: string, value: string): boolean {
  return (status.conditions ?? []).find((condition) => condition.type === type)?.status === value;
}

function restartsOf(statuses: readonly ContainerStatus[]): number {
  return statuses.reduce((sum, { restartCount }) => sum + (restartCount ?? 0), 0);
}

function lastEnd(statuses: readonly ContainerStatus[]): string {
  return latest(statuses.map(({ lastState }) => lastState?.terminated?.finishedAt ?? ''));
}

/** Times in the one form of the API sort as text. */
function latest(times: readonly string[]): string {
  return times.toSorted().at(-1) ?? '';
}
