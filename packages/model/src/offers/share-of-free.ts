import { labels, labelValues } from '@liqo/api';
import {
  addResources,
  isConditionTrue,
  type Node,
  type Pod,
  type Quantity,
  quantityMilliValue,
  type ResourceList,
  type Stored,
} from '@liqo/kube';
import { addAmounts, noAmounts, readAmounts, subtractAmounts } from '../quotas/amounts.ts';
import { podDemand } from '../quotas/pod-demand.ts';

interface Capacity {
  readonly nodes: readonly Stored<Node>[];
  readonly pods: readonly Stored<Pod>[];
}

export interface Share {
  /** 0 to 100. */
  readonly percentage: number;
  /** The pods of the consumer itself do not make its offer smaller. */
  readonly isOfConsumer: (pod: Stored<Pod>) => boolean;
}

/** A quota can name this many. */
const mostResources = 30;

/**
 * The share that a consumer is offered of what is free: what the ready and schedulable nodes of this cluster itself can hold,
 * without what runs on them for others. Every resource that the nodes have is named, also when nothing is left of it.
 */
export function shareOfFree(
  { nodes, pods }: Capacity,
  { percentage, isOfConsumer }: Share,
): Readonly<Record<string, string>> {
  const usable = nodes.filter(isUsable);
  const names = new Set(usable.map(({ metadata }) => metadata.name));
  const total = usable
    .map(({ status }): ResourceList => status?.allocatable ?? {})
    .reduce<ResourceList>(addResources, {});
  const used = pods
    .filter((pod) => names.has(pod.spec?.nodeName ?? '') && !isFinished(pod) && !isOfConsumer(pod))
    .map(podDemand)
    .reduce(addAmounts, noAmounts);
  const free = subtractAmounts(readAmounts(total), used);
  const shares = Object.keys(total)
    .toSorted()
    .slice(0, mostResources)
    .map((name) => [name, shareOf(name, free.get(name), percentage)] as const);
  return Object.fromEntries(shares);
}

/** Down to whole units, of CPU to thousandths: the shares of all are never more than the whole. */
function shareOf(name: string, free: Quantity | undefined, percentage: number): string {
  if (free === undefined || free.mantissa < 0n) return '0';
  const milli = (quantityMilliValue(free) * BigInt(percentage)) / 100n;
  return name === 'cpu' && milli % 1_000n !== 0n ? `${milli}m` : String(milli / 1_000n);
}

/** Of this cluster itself, ready, and open for new pods. */
export function isUsable({ metadata, spec, status }: Stored<Node>): boolean {
  const isVirtual = metadata.labels?.[labels.type] === labelValues.virtualNode;
  return !isVirtual && spec?.unschedulable !== true && isConditionTrue(status?.conditions, 'Ready');
}

function isFinished({ status }: Stored<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
