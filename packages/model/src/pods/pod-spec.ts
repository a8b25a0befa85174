import type { Pod } from '@liqo/kube';

type CoreSpec = NonNullable<Pod['spec']>;

/** With the resources of the pod as a whole, which the published types do not have yet. */
export type PodSpec = CoreSpec & { resources?: NonNullable<Container['resources']> };
export type Container = CoreSpec['containers'][number];
export type EphemeralContainer = NonNullable<CoreSpec['ephemeralContainers']>[number];
export type Volume = NonNullable<CoreSpec['volumes']>[number];
export type VolumeProjection = NonNullable<NonNullable<Volume['projected']>['sources']>[number];
export type Toleration = NonNullable<CoreSpec['tolerations']>[number];
export type EnvVar = NonNullable<Container['env']>[number];
export type Affinity = NonNullable<CoreSpec['affinity']>;
