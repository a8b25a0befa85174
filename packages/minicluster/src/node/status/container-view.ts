import type { Container, ContainerState } from 'kubernetes-types/core/v1.d.ts';

/** When a container runs: before the pod's work one after the other, beside it, or as the work. */
export type ContainerRole = 'init' | 'sidecar' | 'main';

/** All that is to be told of a container. */
export interface ContainerView {
  readonly spec: Container;
  readonly role: ContainerRole;
  readonly state: ContainerState;
  /** How it ended the time before. */
  readonly lastState: ContainerState;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly started: boolean;
  /** Of the run that `state` tells of; absent before the first one. */
  readonly containerID?: string | undefined;
}

export function roleOf(container: Container, isInit: boolean): ContainerRole {
  if (!isInit) return 'main';
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}
