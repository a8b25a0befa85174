import type { ScalePaths } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';

interface Replicated extends Item {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** For kinds that want `spec.replicas` and have `status.replicas` of what `selectorOf` says, as a query. */
export function replicaScale<T extends Replicated>(
  selectorOf: (object: T) => string | undefined,
): ScalePaths {
  return {
    replicasPath: ['spec', 'replicas'],
    specReplicas: ({ spec }: Replicated) => spec?.replicas ?? 0,
    statusReplicas: ({ status }: Replicated) => status?.replicas ?? 0,
    selector: (object: Item) => selectorOf(object as T) ?? '',
    withReplicas: (object: Replicated, replicas) => ({
      ...object,
      spec: { ...object.spec, replicas },
    }),
  };
}
