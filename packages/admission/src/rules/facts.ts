import type { ResourceSlice, Tenant, VirtualNode } from '@liqo/api';
import type { Client, Kind, KubeObject, Namespace, Selection, Stored } from '@liqo/kube';
import type { Informer } from '@liqo/runtime';

/** All objects of a kind, as far as rules decide by them. */
export interface Fact<T extends KubeObject> {
  cached(signal: AbortSignal): Promise<readonly Stored<T>[]>;
  live(signal: AbortSignal): Promise<readonly Stored<T>[]>;
}

/** What rules decide by. */
export interface Facts {
  /** Those with the label of a peer. */
  readonly namespaces: Fact<Namespace>;
  readonly slices: Fact<ResourceSlice>;
  readonly tenants: Fact<Tenant>;
  readonly virtualNodes: Fact<VirtualNode>;
}

/** The objects that an informer selects. */
export function factOf<T extends KubeObject>(
  client: Client,
  informer: Informer<T> & { readonly kind: Kind<T> },
  selection: Selection = {},
): Fact<T> {
  return {
    cached: async () => informer.list(),
    live: async (signal) => (await client.list(informer.kind, { ...selection, signal })).items,
  };
}
