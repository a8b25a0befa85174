import type { Pod, Stored } from '@liqo/kube';

export interface PodParts {
  readonly metadata?: Pod['metadata'];
  /** May have fields that the published types do not know. */
  readonly spec?: Partial<NonNullable<Pod['spec']>> | Readonly<Record<string, unknown>>;
  readonly status?: Pod['status'];
}

/** A pod as an API server returns it, with one container unless the spec says otherwise. */
export function storedPod({ metadata, spec, status }: PodParts = {}): Stored<Pod> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'pod-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: { containers: [{ name: 'web', image: 'nginx:1.29' }], ...spec },
    ...(status && { status }),
  };
}
