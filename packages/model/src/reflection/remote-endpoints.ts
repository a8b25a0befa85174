import type { ShadowEndpointSlice } from '@liqo/api';
import type { EndpointSlice } from '@liqo/kube';

type Endpoint = EndpointSlice['endpoints'][number];

/** What a Node of the consumer is to the reflection of endpoints. */
export type EndpointNode =
  /** One that stands for a provider. */
  | { readonly type: 'virtual'; readonly providerClusterID: string }
  | { readonly type: 'physical' }
  | { readonly type: 'unknown' };

/** The way of endpoints to a provider. */
export interface EndpointRoute {
  readonly consumerClusterID: string;
  readonly providerClusterID: string;
  readonly nodeOf: (name: string) => EndpointNode;
  /**
   * From an address at the consumer to what reaches it from the provider; undefined while that is not decided. Without a
   * network, addresses stay as they are.
   */
  readonly translateAddress?: (address: string) => string | undefined;
}

type EndpointTemplate = NonNullable<ShadowEndpointSlice['spec']['template']>;

export interface RemoteEndpoints {
  readonly template: EndpointTemplate;
  /** Addresses that have no translation yet: their endpoints are left out until they have one. */
  readonly waiting: readonly string[];
}

/**
 * The endpoints that a provider has to be told of: those that run elsewhere. Kubernetes at the provider finds the pods that
 * run there by itself, as the reflected Service has the selector of the original.
 */
export function remoteEndpoints(
  { addressType, endpoints, ports }: EndpointSlice,
  route: EndpointRoute,
): RemoteEndpoints {
  const waiting: string[] = [];
  const kept = (endpoints ?? []).filter((endpoint) => isElsewhere(endpoint, route));
  const translated = kept.flatMap((endpoint) => {
    const { translateAddress = (address) => address } = route;
    const addresses = endpoint.addresses.flatMap((address) => {
      const translation = translateAddress(address);
      if (translation === undefined) waiting.push(address);
      return translation ?? [];
    });
    return addresses.length > 0 ? [forgeEndpoint(endpoint, addresses, route)] : [];
  });
  return {
    template: {
      addressType: addressType as NonNullable<EndpointTemplate['addressType']>,
      endpoints: translated,
      ports: ports ?? [],
    },
    waiting,
  };
}

/** An endpoint on a Node that is not known may run at the provider: it comes once the Node does. */
function isElsewhere(
  { nodeName }: Endpoint,
  { nodeOf, providerClusterID }: EndpointRoute,
): boolean {
  if (nodeName === undefined) return true;
  const node = nodeOf(nodeName);
  if (node.type === 'virtual') return node.providerClusterID !== providerClusterID;
  return node.type === 'physical';
}

/** The provider has neither the Node nor the pod: they get a name and a kind that mean nothing else there. */
function forgeEndpoint(
  { conditions, hints, hostname, targetRef, zone }: Endpoint,
  addresses: string[],
  { consumerClusterID }: EndpointRoute,
): Endpoint {
  const ready = conditions?.ready;
  return {
    addresses,
    ...(ready !== undefined && { conditions: { ready } }),
    ...(hints !== undefined && { hints }),
    ...(hostname !== undefined && { hostname }),
    nodeName: consumerClusterID,
    ...(targetRef && { targetRef: { ...targetRef, kind: `Remote${targetRef.kind ?? ''}` } }),
    ...(zone !== undefined && { zone }),
  };
}
