import type { ClusterConfig } from '@liqo/api';
import { type Node, ownMember, type Stored } from '@liqo/kube';

type OutgoingConfig = ClusterConfig['spec']['advertisementConfig']['outgoingConfig'];
type LabelPolicies = NonNullable<OutgoingConfig['labelPolicies']>;

/** The labels of an offer, from those of nodes. A node has a label when its value is `true` or empty. */
export function offeredLabels(
  nodes: readonly Stored<Node>[],
  policies: LabelPolicies = [],
): Readonly<Record<string, string>> {
  const entries = policies.flatMap(({ key, policy }) => {
    const having = nodes.filter((node) => hasLabel(node, key)).length;
    const isAll = policy.startsWith('LabelPolicyAllTrue');
    const holds = isAll ? nodes.length > 0 && having === nodes.length : having > 0;
    if (policy.endsWith('NoLabelIfFalse')) return holds ? [[key, ''] as const] : [];
    return [[key, String(holds)] as const];
  });
  return Object.fromEntries(entries);
}

function hasLabel({ metadata }: Stored<Node>, key: string): boolean {
  const value = ownMember(metadata.labels, key);
  return value === 'true' || value === '';
}
