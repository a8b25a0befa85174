import type { Stored } from '@liqo/kube';
import type { Fact, Facts } from '../rules/facts.ts';

type ObjectsOf = { readonly [F in keyof Facts]?: readonly object[] };

/** What rules find in their caches, and at the API server; the same in both unless `live` says otherwise. */
export function forgeFacts(cached: ObjectsOf, live: ObjectsOf = cached): Facts {
  const fact = <F extends keyof Facts>(name: F) =>
    ({
      cached: async () => stored(cached[name]),
      live: async () => stored(live[name]),
    }) as unknown as Facts[F] & Fact<never>;
  return {
    namespaces: fact('namespaces'),
    slices: fact('slices'),
    tenants: fact('tenants'),
    virtualNodes: fact('virtualNodes'),
  };
}

function stored(objects: readonly object[] = []): readonly Stored<never>[] {
  return objects as readonly Stored<never>[];
}

/** A namespace that is about a peer. */
export function tenantNamespace(peer: string): object {
  const labels = { 'liqo.io/remote-cluster-id': peer, 'liqo.io/tenant-namespace': 'true' };
  const creationTimestamp = '2026-11-19T00:00:00Z';
  return { metadata: { name: `liqo-tenant-${peer}`, uid: peer, creationTimestamp, labels } };
}
