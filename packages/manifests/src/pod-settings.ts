import type { Deployment } from '@liqo/kube';
import type { Values } from './values.ts';

type PodSpec = NonNullable<NonNullable<Deployment['spec']>['template']['spec']>;

/** The image that everything runs from. */
export function imageReference({ name, tag }: Pick<Values['image'], 'name' | 'tag'>): string {
  return `${name}:${tag}`;
}

/** Where the pods of the controllers and of the webhooks run, and how their image is pulled. */
export function podSettings({ common, image }: Pick<Values, 'common' | 'image'>) {
  return {
    imagePullSecrets: [...image.pullSecrets],
    nodeSelector: common.nodeSelector,
    tolerations: [...common.tolerations],
    affinity: common.affinity,
  } satisfies Partial<Record<keyof PodSpec, unknown>> as Pick<
    PodSpec,
    'imagePullSecrets' | 'nodeSelector' | 'tolerations' | 'affinity'
  >;
}
