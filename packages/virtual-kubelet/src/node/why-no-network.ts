import type { ForeignCluster } from '@liqo/api';
import { findCondition } from '@liqo/kube';

/** Undefined while the network to a peer works, or there is none to wait for; else what is wrong. */
export function whyNoNetwork(peer: ForeignCluster | undefined): string | undefined {
  const networking = peer?.status?.modules?.networking;
  if (!networking?.enabled) return undefined;
  const connection = findCondition(networking.conditions, 'NetworkConnectionStatus');
  if (connection?.status === 'Established') return undefined;
  return connection?.message ?? `the connection is ${connection?.status ?? 'not known yet'}`;
}
