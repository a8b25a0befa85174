import type { ForeignCluster } from '@liqo/api';
import { findCondition } from '@liqo/kube';

/**
 * Whether the pods of a peer can be reached, as far as this cluster knows. A peer without a network module is reached without
 * it; an API server that is not probed is not known to be silent.
 */
export function isPeerReachable(foreignCluster: ForeignCluster | undefined): boolean {
  const { modules, conditions } = foreignCluster?.status ?? {};
  const networking = modules?.networking;
  const connection = findCondition(networking?.conditions, 'NetworkConnectionStatus');
  const apiServer = findCondition(conditions, 'APIServerStatus');
  const isConnected = !networking?.enabled || connection?.status === 'Established';
  return isConnected && (apiServer === undefined || isGood.has(apiServer.status));
}

const isGood: ReadonlySet<string> = new Set(['Established', 'None']);
