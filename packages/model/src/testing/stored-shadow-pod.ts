import type { ShadowPod } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import type { ForgedShadowPod } from '../pods/forge-shadow-pod.ts';

/** A ShadowPod as the API server of the provider returns it. */
export function storedShadowPod(
  forged: ForgedShadowPod,
  phase?: NonNullable<ShadowPod['status']>['phase'],
): Stored<ShadowPod> {
  return {
    ...forged,
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'ShadowPod',
    metadata: {
      ...structuredClone(forged.metadata),
      uid: 'shadow-uid',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: structuredClone(forged.spec),
    ...(phase && { status: { phase } }),
  };
}
