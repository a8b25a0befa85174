import type { ContainerStateTerminated } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerView } from './container-view.ts';
import { shouldRestart } from './should-restart.ts';

export type PodPhase = 'Failed' | 'Pending' | 'Running' | 'Succeeded';

/**
 * The phase that the containers amount to, as the kubelet reckons. `isEnding` when none of them will be started again,
 * whatever the restart policy says.
 */
export function podPhase(
  containers: readonly ContainerView[],
  restartPolicy: string | undefined,
  isEnding: boolean,
): PodPhase {
  const inits = containers.filter(({ role }) => role === 'init');
  const sidecars = containers.filter(({ role }) => role === 'sidecar');
  const mains = containers.filter(({ role }) => role === 'main');
  if (inits.some((one) => hasFailedForGood(one, restartPolicy))) return 'Failed';
  const hasBegun = mains.some((one) => one.containerID !== undefined);
  if (inits.some(isUnfinished) || (!hasBegun && sidecars.some(({ started }) => !started)))
    return 'Pending';
  if (mains.some(isNew)) return 'Pending';
  if ([...sidecars, ...mains].some(({ state }) => state.running)) return 'Running';
  return phaseOfStopped(mains, restartPolicy, isEnding);
}

function phaseOfStopped(
  mains: readonly ContainerView[],
  restartPolicy: string | undefined,
  isEnding: boolean,
): PodPhase {
  const ends = mains.flatMap((one) => endOf(one) ?? []);
  const restarts = ends.some(({ exitCode }) => shouldRestart('main', restartPolicy, exitCode));
  if (restarts && !isEnding) return 'Running';
  return ends.every(({ exitCode }) => exitCode === 0) ? 'Succeeded' : 'Failed';
}

function hasFailedForGood(init: ContainerView, restartPolicy: string | undefined): boolean {
  const exitCode = endOf(init)?.exitCode ?? 0;
  return exitCode !== 0 && !shouldRestart('init', restartPolicy, exitCode);
}

function isUnfinished(init: ContainerView): boolean {
  return !init.state.terminated && !endOf(init);
}

/** It waits, and never ran. */
function isNew(container: ContainerView): boolean {
  return !container.state.running && !endOf(container);
}

/** How it ended, if it does not run now. */
function endOf({ state, lastState }: ContainerView): ContainerStateTerminated | undefined {
  if (state.running) return undefined;
  return state.terminated ?? lastState.terminated;
}
