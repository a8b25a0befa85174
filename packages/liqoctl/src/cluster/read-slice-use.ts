import { labels, type ResourceSlice, type VirtualNode } from '@liqo/api';
import {
  type Client,
  formatQuantity,
  isForbidden,
  keyOf,
  keyString,
  type ListOptions,
  Pod,
  type ResourceList,
  type Stored,
} from '@liqo/kube';
import {
  consumerOf,
  creatorLabel,
  hasStarted,
  isFinished,
  Ledger,
  podDemand,
  quotaName,
} from '@liqo/model';
import { sliceSecretName } from '../forge-virtual-node.ts';
import { isCopy } from './find-resource-slice.ts';

/** What the pods of a slice request together; undefined where they may not be listed. */
export type SliceUse = (slice: ResourceSlice) => ResourceList | undefined;

type ReadOptions = Pick<ListOptions, 'signal'>;

/**
 * Sums up what the pods of slices request: at the provider those that it runs for the consumer, at the consumer those on the
 * virtual nodes of the slice, without those that the provider has not let in.
 */
export async function readSliceUse(
  client: Client,
  slices: readonly ResourceSlice[],
  virtualNodes: readonly VirtualNode[],
  options: ReadOptions,
): Promise<SliceUse> {
  const [provided, consumed] = [new Ledger(), new Ledger()];
  try {
    if (slices.some(isCopy)) await chargeProvided(provided, client, options);
    for (const slice of slices.filter((one) => !isCopy(one))) {
      const nodes = virtualNodesOf(slice, virtualNodes);
      await chargeConsumed(consumed, slice, nodes, client, options);
    }
  } catch (error) {
    if (isForbidden(error)) return () => undefined;
    throw error;
  }
  return (slice) => {
    const used = isCopy(slice)
      ? provided.used(consumerOf(slice), creatorOf(slice))
      : consumed.used(slice.metadata?.namespace ?? '', slice.metadata?.name);
    return Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  };
}

/** Those that use the credentials of the slice, whoever has made them. */
export function virtualNodesOf<T extends VirtualNode>(
  { metadata }: ResourceSlice,
  virtualNodes: readonly T[],
): readonly T[] {
  const secret = sliceSecretName(metadata?.name ?? '');
  return virtualNodes.filter(
    (one) =>
      one.metadata?.namespace === metadata?.namespace &&
      one.spec.kubeconfigSecretRef?.name === secret,
  );
}

async function chargeProvided(ledger: Ledger, client: Client, { signal }: ReadOptions) {
  for await (const { items } of client.pages(Pod, { labelSelector: labels.origin, signal })) {
    for (const pod of items.filter(isTaking)) {
      const { [labels.origin]: tenant = '', [labels.creatorUser]: creator } =
        pod.metadata.labels ?? {};
      ledger.set(keyString(keyOf(pod)), { tenant, creator, demand: podDemand(pod) });
    }
  }
}

async function chargeConsumed(
  ledger: Ledger,
  { metadata }: ResourceSlice,
  nodes: readonly VirtualNode[],
  client: Client,
  { signal }: ReadOptions,
) {
  const account = { tenant: metadata?.namespace ?? '', creator: metadata?.name };
  for (const node of nodes) {
    const fieldSelector = `spec.nodeName=${node.metadata?.name}`;
    for await (const { items } of client.pages(Pod, { fieldSelector, signal })) {
      for (const pod of items.filter((one) => isTaking(one) && !isKeptOut(one))) {
        ledger.set(keyString(keyOf(pod)), { ...account, demand: podDemand(pod) });
      }
    }
  }
}

/** A pod that has ended takes nothing. */
function isTaking({ status }: Stored<Pod>): boolean {
  return !isFinished(status?.phase);
}

/** Whether the provider does not have the pod: it waits for room, or was denied. */
function isKeptOut({ status = {} }: Stored<Pod>): boolean {
  return status.reason !== undefined && !hasStarted(status);
}

function creatorOf(slice: ResourceSlice): string {
  return creatorLabel(quotaName(slice.metadata?.name ?? '', consumerOf(slice)));
}
