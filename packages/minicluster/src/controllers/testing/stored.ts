import type { KubeObject, Stored } from '@liqo/kube';

/** An object as a server would give it back, for tests of pure decisions. */
export function stored<T extends KubeObject>(kind: string, object: T): Stored<T> {
  const name = object.metadata?.name ?? 'one';
  return {
    apiVersion: 'v1',
    kind,
    ...object,
    metadata: {
      namespace: 'home',
      uid: `uid-of-${name}`,
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      ...object.metadata,
      name,
    },
  };
}
