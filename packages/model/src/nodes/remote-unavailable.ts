import { labels } from '@liqo/api';
import { isConditionTrue, type Node, type Pod } from '@liqo/kube';

/**
 * What the label of an offloaded pod has to become that says whether its provider can be reached, as its Node knows: null
 * takes it off, undefined leaves it as it is.
 */
export function remoteUnavailableChange(
  pod: Pick<Pod, 'metadata'>,
  node: Pick<Node, 'status'> | undefined,
): 'true' | null | undefined {
  if (!node) return undefined;
  const isMarked = pod.metadata?.labels?.[labels.remoteUnavailable] !== undefined;
  if (isReady(node)) return isMarked ? null : undefined;
  return pod.metadata?.labels?.[labels.remoteUnavailable] === 'true' ? undefined : 'true';
}

export function isReady({ status }: Pick<Node, 'status'>): boolean {
  return isConditionTrue(status?.conditions, 'Ready');
}
