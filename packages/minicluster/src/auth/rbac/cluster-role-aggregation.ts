import { type Client, type Clock, ClusterRole, deepEqual } from '@liqo/kube';
import type { KindReader } from '../../kind-reader.ts';
import { followKind, type ObjectsByKey } from '../follow-kind.ts';
import { aggregateRules } from './aggregate-rules.ts';

const fieldManager = 'clusterrole-aggregation-controller';

/** Keeps the rules of aggregating ClusterRoles what their selectors say. The client needs `escalate` on ClusterRoles. */
export function startClusterRoleAggregation(
  client: Client,
  clock: Clock,
  reader: KindReader = client,
): AsyncDisposable {
  const reconcile = (roles: ObjectsByKey<ClusterRole>, signal: AbortSignal) =>
    aggregateAll(client, roles, signal);
  return followKind({ reader, clock, kind: ClusterRole, reconcile });
}

async function aggregateAll(
  client: Client,
  roles: ObjectsByKey<ClusterRole>,
  signal: AbortSignal,
): Promise<void> {
  const all = [...roles.values()];
  for (const role of all) {
    const rules = aggregateRules(role, all);
    if (!rules || deepEqual(rules, role.rules ?? [])) continue;
    // Nothing to aggregate is nothing to say: rules that somebody else wrote stay, as on a real cluster.
    const { name } = role.metadata;
    const wanted = { metadata: { name }, ...(rules.length > 0 && { rules }) };
    await client.apply(ClusterRole, wanted, { fieldManager, force: true, signal });
  }
}
