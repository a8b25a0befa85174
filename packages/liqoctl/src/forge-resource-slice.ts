import { annotations, labels, ResourceSlice } from '@liqo/api';
import { apiVersionOf } from '@liqo/kube';

/** What a person says about a ResourceSlice. */
export interface SliceWishes {
  readonly name: string;
  /** The tenant namespace of the provider. */
  readonly namespace: string;
  readonly providerID: string;
  readonly class: string;
  /** What is not named, the provider decides. */
  readonly resources: Readonly<Record<string, string>>;
  readonly createVirtualNode: boolean;
  /** For the object itself. */
  readonly globalLabels?: Readonly<Record<string, string>>;
  readonly globalAnnotations?: Readonly<Record<string, string>>;
}

/** The manifest of a ResourceSlice, as it is printed and as it is created. */
export function forgeResourceSlice(wishes: SliceWishes): ResourceSlice {
  const { providerID, resources } = wishes;
  return {
    apiVersion: apiVersionOf(ResourceSlice),
    kind: ResourceSlice.kind,
    metadata: {
      name: wishes.name,
      namespace: wishes.namespace,
      annotations: {
        ...wishes.globalAnnotations,
        [annotations.createVirtualNode]: String(wishes.createVirtualNode),
      },
      labels: {
        ...wishes.globalLabels,
        [labels.remoteClusterID]: providerID,
        [labels.replicationDestination]: providerID,
        [labels.replication]: 'true',
      },
    },
    spec: {
      class: wishes.class,
      providerClusterID: providerID,
      ...(Object.keys(resources).length > 0 && { resources: { ...resources } }),
    },
    status: {},
  };
}
