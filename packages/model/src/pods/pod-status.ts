import type { Pod } from '@liqo/kube';

type CoreStatus = NonNullable<Pod['status']>;
type CoreCondition = NonNullable<CoreStatus['conditions']>[number];

/** With what the published types do not have yet: which generation of the pod the status speaks of. */
export type PodCondition = CoreCondition & { observedGeneration?: number };
export type PodStatus = Omit<CoreStatus, 'conditions'> & {
  conditions?: PodCondition[];
  observedGeneration?: number;
};
export type ContainerStatus = NonNullable<CoreStatus['containerStatuses']>[number];
