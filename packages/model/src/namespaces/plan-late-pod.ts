import type { NamespaceOffloading } from '@liqo/api';
import { labels, labelValues, virtualNodeToleration } from '@liqo/api';
import type { Node, Pod, Stored } from '@liqo/kube';
import { isPlacedByOthers, toleratesVirtualNodes } from '../pods/pod-placement.ts';

type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number];

/** What to do about a pod that was created after its NamespaceOffloading, and before the webhook knew of that. */
export type LatePodStep =
  | { readonly type: 'none' }
  /** An addition that Kubernetes allows in a pod that exists. */
  | { readonly type: 'tolerate'; readonly tolerations: readonly Toleration[] }
  /** Its controller creates another one, which the webhook changes. */
  | { readonly type: 'replace' }
  | { readonly type: 'report'; readonly message: string };

const none: LatePodStep = { type: 'none' };

/**
 * A node affinity cannot be added to a pod that exists. So a pod that needs one is replaced if it has a controller, and
 * reported otherwise; one that may run where it is stays there. A pod with the toleration has been changed by the webhook, or
 * by its user.
 */
export function planLatePod(
  pod: Stored<Pod>,
  { metadata, spec }: Stored<NamespaceOffloading>,
  nodeOf: (name: string) => Node | undefined,
): LatePodStep {
  const strategy = spec?.podOffloadingStrategy;
  if (strategy === 'Local' || isOver(pod) || isPlacedByOthers(pod)) return none;
  if (pod.metadata.creationTimestamp < metadata.creationTimestamp) return none;
  const { nodeName, tolerations = [] } = pod.spec ?? {};
  if (tolerations.some(toleratesVirtualNodes)) return none;
  if (nodeName && (strategy !== 'Remote' || isVirtual(nodeOf(nodeName)))) return none;
  const hasSelector = (spec?.clusterSelector?.nodeSelectorTerms ?? []).length > 0;
  if (strategy !== 'Remote' && !hasSelector) {
    return { type: 'tolerate', tolerations: [...tolerations, { ...virtualNodeToleration }] };
  }
  if (pod.metadata.ownerReferences?.some(({ controller }) => controller)) {
    return { type: 'replace' };
  }
  const message =
    'The pod was created before its namespace was ready to be offloaded, and cannot be changed so that it runs where the ' +
    'NamespaceOffloading says: delete it, and create it again';
  return { type: 'report', message };
}

function isOver({ metadata, status }: Stored<Pod>): boolean {
  const { phase = '' } = status ?? {};
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed'].includes(phase);
}

function isVirtual(node: Node | undefined): boolean {
  return node?.metadata?.labels?.[labels.type] === labelValues.virtualNode;
}
