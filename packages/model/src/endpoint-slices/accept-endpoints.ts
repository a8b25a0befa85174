import { type EndpointSlice, parseIpAddress } from '@liqo/kube';
import { type AddressPolicy, refuseRemoteAddress } from '../pods/remote-address.ts';

type Endpoint = EndpointSlice['endpoints'][number];

export interface EndpointRules {
  readonly addressType: 'IPv4' | 'IPv6';
  /** The consumer that the endpoints come from. */
  readonly origin: string;
  readonly isReachable: boolean;
  readonly addressPolicy: AddressPolicy;
  /** From an address that the consumer names to what reaches it from this cluster. */
  readonly translateAddress?: (address: string) => string;
}

/** An address of a consumer that does not become an endpoint. */
export interface RefusedAddress {
  readonly address: string;
  readonly problem: string;
}

export interface AcceptedEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly refused: readonly RefusedAddress[];
}

/** Endpoints are for the Services of the consumer alone: what they say of Nodes, pods and conditions here is not believed. */
export function acceptEndpoints(
  offered: readonly Endpoint[],
  rules: EndpointRules,
): AcceptedEndpoints {
  const refused: RefusedAddress[] = [];
  const endpoints = offered.flatMap((endpoint) => {
    const { translateAddress = (address) => address } = rules;
    const addresses = endpoint.addresses.map(translateAddress).filter((address) => {
      const problem = refuseAddress(address, rules);
      if (problem !== undefined) refused.push({ address, problem });
      return problem === undefined;
    });
    return addresses.length > 0 ? [forgeEndpoint(endpoint, addresses, rules)] : [];
  });
  return { endpoints, refused };
}

function refuseAddress(
  address: string,
  { addressType, addressPolicy }: EndpointRules,
): string | undefined {
  const family = parseIpAddress(address)?.family;
  if (family !== (addressType === 'IPv6' ? 6 : 4)) return `it is not an ${addressType} address`;
  return refuseRemoteAddress(address, addressPolicy);
}

/** A pod of another cluster: controllers that follow a reference to a pod would find another one here. */
const remotePrefix = 'Remote';

function forgeEndpoint(
  { conditions, hostname, hints, targetRef, zone }: Endpoint,
  addresses: string[],
  { origin, isReachable }: EndpointRules,
): Endpoint {
  return {
    addresses,
    conditions: { ready: conditions?.ready !== false && isReachable },
    ...(hostname !== undefined && { hostname }),
    ...(hints?.forZones && { hints: { forZones: hints.forZones } }),
    nodeName: origin,
    ...(isRemote(targetRef) && { targetRef }),
    ...(zone !== undefined && { zone }),
  };
}

function isRemote(targetRef: Endpoint['targetRef']): targetRef is NonNullable<typeof targetRef> {
  // The schema of ShadowEndpointSlice has no types for what is in an endpoint.
  const kind: unknown = targetRef?.kind;
  return typeof kind === 'string' && kind.startsWith(remotePrefix);
}
