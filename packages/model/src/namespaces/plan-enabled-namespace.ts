import { annotations, fixedNames, labels, NamespaceOffloading } from '@liqo/api';
import { apiVersionOf, type Namespace, type Stored } from '@liqo/kube';
import { whyNotOffloadable } from './reserved-namespaces.ts';

type EnabledNamespaceStep =
  | { readonly type: 'none' }
  | { readonly type: 'create'; readonly offloading: NamespaceOffloading }
  | { readonly type: 'delete' }
  /** The label has no effect; `why` is a clause. */
  | { readonly type: 'refuse'; readonly why: string };

const nothing: EnabledNamespaceStep = { type: 'none' };

/**
 * What follows from the label `liqo.io/enabled` of a namespace, or from its absence. A NamespaceOffloading that was not made
 * for the label of this very namespace is the user's, and decides alone.
 */
export function planEnabledNamespace(
  namespace: Stored<Namespace>,
  offloading: NamespaceOffloading | undefined,
  liqoNamespace: string,
): EnabledNamespaceStep {
  const { metadata } = namespace;
  if (metadata.deletionTimestamp !== undefined) return nothing;
  if (metadata.labels?.[labels.enabled] !== 'true') {
    return offloading && isOfLabel(offloading, namespace) ? { type: 'delete' } : nothing;
  }
  if (offloading) return nothing;
  const why = whyNotOffloadable(metadata, liqoNamespace);
  return why === undefined
    ? { type: 'create', offloading: forgeOffloading(namespace) }
    : { type: 'refuse', why };
}

function isOfLabel({ metadata }: NamespaceOffloading, namespace: Stored<Namespace>): boolean {
  const isEnding = metadata?.deletionTimestamp !== undefined;
  return (
    !isEnding && metadata?.annotations?.[annotations.enabledNamespace] === namespace.metadata.uid
  );
}

function forgeOffloading({ metadata }: Stored<Namespace>): NamespaceOffloading {
  return {
    apiVersion: apiVersionOf(NamespaceOffloading),
    kind: NamespaceOffloading.kind,
    metadata: {
      name: fixedNames.namespaceOffloading,
      namespace: metadata.name,
      annotations: { [annotations.enabledNamespace]: metadata.uid },
    },
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
  };
}
