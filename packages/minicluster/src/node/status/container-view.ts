import type {
  Container,
  ContainerState,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.d.ts';

/** When a container runs: before the pod's work one after the other, beside it, as the work, or to look at it. */
export type ContainerRole = 'ephemeral' | 'init' | 'main' | 'sidecar';

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
  /** What the node has set aside for it, and what its run has been given of that. */
  readonly allocated?: ResourceRequirements | undefined;
  readonly actual?: ResourceRequirements | undefined;
}

export function roleOf(container: Container, isInit: boolean): ContainerRole {
  if (!isInit) return 'main';
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}

/** The list of the pod's spec that containers of the role are in. */
export function listOf(role: ContainerRole): string {
  if (role === 'ephemeral') return 'ephemeralContainers';
  return role === 'main' ? 'containers' : 'initContainers';
}
