import type { ResourceSlice, VirtualNode } from '@liqo/api';
import { findCondition, type Stored } from '@liqo/kube';
import { sliceKubeconfigName } from './forge-slice-virtual-node.ts';

/**
 * Why a virtual node takes no new pods: the provider has denied, or no longer grants, the slice whose credentials it uses, or
 * the slice is being deleted. Undefined if it takes new pods; also without a slice, as for credentials made by hand.
 */
export function whyNothingNew(
  { metadata, spec }: Stored<VirtualNode>,
  slices: readonly Stored<ResourceSlice>[],
): string | undefined {
  const slice = slices.find(
    (one) =>
      one.metadata.namespace === metadata.namespace &&
      sliceKubeconfigName(one) === spec.kubeconfigSecretRef?.name,
  );
  if (!slice) return undefined;
  const { name, deletionTimestamp } = slice.metadata;
  if (deletionTimestamp !== undefined) return `slice ${name}: it is being deleted`;
  const why = whyNotGranted(slice);
  return why === undefined ? undefined : `slice ${name}: ${why}`;
}

function whyNotGranted({ status }: ResourceSlice): string | undefined {
  for (const type of ['Authentication', 'Resources'] as const) {
    const condition = findCondition(status?.conditions, type);
    if (!condition) return `the provider has not decided about its ${type.toLowerCase()}`;
    if (condition.status !== 'Accepted') {
      return condition.message ?? `the provider has denied its ${type.toLowerCase()}`;
    }
  }
  return undefined;
}
