import type { ShadowPod } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { firstWordDueInMs } from '../pods/first-word.ts';
import { nextShadowPodPhase } from './plan-pod.ts';

/** Delays of the write of a phase, in milliseconds. Outside of a burst, and while many pods start or end. */
export interface PhaseDelays {
  /** Counted from the start of the first container. A job that ends sooner costs one write. */
  readonly running: PhaseDelay;
  /** Counted from the creation of the pod. A pod that starts sooner costs one write, also if it was re-created. */
  readonly pending: PhaseDelay;
}

interface PhaseDelay {
  readonly usualMs: number;
  readonly burstMs: number;
}

/**
 * With a spread over half of each delay, `kubectl get shadowpods` shows `Running` within 3 s of the pod, within 10 s in a
 * burst.
 */
export const defaultPhaseDelays: PhaseDelays = {
  running: { usualMs: 1_000, burstMs: 5_000 },
  pending: { usualMs: 15_000, burstMs: 90_000 },
};

export interface PhaseWait {
  /** Zero when the phase is due, or when there is none to write. */
  readonly dueInMs: number;
  /** The whole delay; a share of it can be added to spread the writes of pods that started together. */
  readonly delayMs: number;
}

/**
 * How long the write of a ShadowPod’s phase may still be delayed. A phase that ends the pod, and a phase that replaces a
 * reason, are due at once.
 */
export function phaseWait(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod> | undefined,
  { delays, isBurst, nowMs }: { delays: PhaseDelays; isBurst: boolean; nowMs: number },
): PhaseWait {
  const phase = nextShadowPodPhase(shadowPod, pod);
  if (!pod || shadowPod.status?.reason !== undefined) return dueNow;
  if (phase !== 'Running' && phase !== 'Pending') return dueNow;
  const { usualMs, burstMs } = phase === 'Running' ? delays.running : delays.pending;
  const delayMs = isBurst ? burstMs : usualMs;
  const since = phase === 'Running' ? firstStart(pod) : undefined;
  return {
    dueInMs: firstWordDueInMs(since ?? pod.metadata.creationTimestamp, nowMs, delayMs),
    delayMs,
  };
}

const dueNow: PhaseWait = { dueInMs: 0, delayMs: 0 };

function firstStart({ status }: Pod): string | undefined {
  const starts = status?.containerStatuses?.flatMap(({ state }) => state?.running?.startedAt ?? []);
  return starts?.sort()[0];
}
