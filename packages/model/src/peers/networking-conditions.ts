import type { Connection } from '@liqo/api';
import { countReady } from './count-ready.ts';
import type { ForeignClusterFacts, NewPeerCondition } from './foreign-cluster-facts.ts';

/** Undefined while nothing of the network with the peer exists. */
export function networkingConditions(
  facts: ForeignClusterFacts,
): readonly NewPeerCondition[] | undefined {
  const { configurations, connections, gatewayServers, gatewayClients } = facts;
  const gateways = gatewayServers.length + gatewayClients.length;
  if (configurations.length + connections.length + gateways === 0) return undefined;
  const isConfigured = configurations.length > 0;
  return [
    {
      type: 'NetworkConfigurationStatus',
      status: isConfigured ? 'Ready' : 'NotReady',
      reason: isConfigured ? 'NetworkConfigurationPresence' : 'NetworkConfigurationMissing',
      message: `The network configuration is ${isConfigured ? 'present' : 'missing'}`,
    },
    {
      type: 'NetworkGatewayPresence',
      status: gateways > 0 ? 'Ready' : 'NotReady',
      reason: gateways > 0 ? 'GatewayPresence' : 'GatewayMissing',
      message: `The gateway is ${gateways > 0 ? 'present' : 'missing'}`,
    },
    ...gatewayConditions(facts),
    connectionCondition(connections),
  ];
}

/** A gateway is ready once its status names the endpoint that other parts of the network module reach it at. */
function gatewayConditions({
  gatewayServers,
  gatewayClients,
}: ForeignClusterFacts): readonly NewPeerCondition[] {
  const sides = [
    ['NetworkGatewayServerStatus', gatewayServers],
    ['NetworkGatewayClientStatus', gatewayClients],
  ] as const;
  return sides.flatMap(([type, gateways]) => {
    if (gateways.length === 0) return [];
    const ready = gateways.filter(({ status }) => status?.internalEndpoint !== undefined).length;
    return countReady({
      type,
      ready,
      total: gateways.length,
      noun: 'Gateways',
      plural: 'gateways',
    });
  });
}

function connectionCondition(connections: readonly Connection[]): NewPeerCondition {
  const type = 'NetworkConnectionStatus';
  const values = connections.map(({ status }) => status?.value);
  if (values.length === 0) {
    const message = 'The network connection is missing';
    return { type, status: 'NotReady', reason: 'ConnectionMissing', message };
  }
  if (values.includes('Error')) {
    const message = 'The network connection has an error';
    return { type, status: 'Error', reason: 'ConnectionError', message };
  }
  if (values.every((value) => value === 'Connected')) {
    const message = 'The network connection is established';
    return { type, status: 'Established', reason: 'ConnectionEstablished', message };
  }
  const message = 'The network connection is being established';
  return { type, status: 'Pending', reason: 'ConnectionPending', message };
}
