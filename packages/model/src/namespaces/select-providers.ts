import type { NamespaceMap, NamespaceOffloading } from '@liqo/api';
import { checkNodeSelector, matchesNodeSelector, type SelectableNode } from '@liqo/kube';

/** A provider as far as the offloading of a namespace is concerned. */
export interface Provider {
  readonly clusterID: string;
  /** The one at the consumer. */
  readonly namespaceMap: NamespaceMap | undefined;
  /** Its virtual nodes: the Nodes, or what they are going to be labelled with. */
  readonly nodes: readonly SelectableNode[];
}

type ClusterSelector = NonNullable<NamespaceOffloading['spec']>['clusterSelector'];

/** Whether the selector picks the provider: one of its virtual nodes is enough. No terms pick every provider. */
export function selectsProvider(selector: ClusterSelector, provider: Provider): boolean {
  if (provider.nodes.length === 0) return false;
  if (!selector?.nodeSelectorTerms.length) return true;
  return provider.nodes.some((node) => matchesNodeSelector(selector, node));
}

/** In words; nothing if the selector is valid. */
export function checkClusterSelector(selector: ClusterSelector): readonly string[] {
  return selector ? checkNodeSelector(selector) : [];
}
