import { labels, labelValues } from '@liqo/api';
import {
  addResources,
  formatQuantity,
  isConditionTrue,
  type Node,
  type Pod,
  type ResourceList,
  type Stored,
} from '@liqo/kube';
import { addAmounts, noAmounts, podDemand, readAmounts, subtractAmounts } from '@liqo/model';

/**
 * What this cluster could give to the slices of a class: what its own nodes can hold, without what runs there for anybody else.
 * Pods of the slices themselves are not counted: they are what the slices are for.
 */
export function freeCapacity(
  nodes: readonly Stored<Node>[],
  pods: readonly Stored<Pod>[],
  isOfClass: (pod: Stored<Pod>) => boolean,
): ResourceList {
  const usable = nodes.filter(isUsable);
  const names = new Set(usable.map(({ metadata }) => metadata.name));
  const total = usable
    .map(({ status }): ResourceList => status?.allocatable ?? {})
    .reduce<ResourceList>(addResources, {});
  const others = pods.filter(
    (pod) => names.has(pod.spec?.nodeName ?? '') && !isFinished(pod) && !isOfClass(pod),
  );
  const used = others.map(podDemand).reduce(addAmounts, noAmounts);
  const free = subtractAmounts(readAmounts(total), used);
  return Object.fromEntries([...free].map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** Of this cluster itself, ready, and open for new pods. */
function isUsable({ metadata, spec, status }: Stored<Node>): boolean {
  const isVirtual = metadata.labels?.[labels.type] === labelValues.virtualNode;
  return !isVirtual && spec?.unschedulable !== true && isConditionTrue(status?.conditions, 'Ready');
}

function isFinished({ status }: Stored<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
