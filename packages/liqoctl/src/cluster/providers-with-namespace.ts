import type { NamespaceOffloading } from '@liqo/api';
import { findCondition } from '@liqo/kube';

/** Reasons of a namespace that is not ready at a provider, but exists there or is about to. */
export const presentReasons: readonly (string | undefined)[] = ['Creating', 'Terminating'];

/** The providers at which the namespace exists, by the status: one that is not selected, or refused it, has nothing. */
export function providersWithNamespace({ status }: NamespaceOffloading): readonly string[] {
  return Object.entries(status?.remoteNamespacesConditions ?? {})
    .filter(([, conditions]) => {
      const ready = findCondition(conditions, 'Ready');
      return ready?.status === 'True' || presentReasons.includes(ready?.reason);
    })
    .map(([clusterID]) => clusterID);
}
