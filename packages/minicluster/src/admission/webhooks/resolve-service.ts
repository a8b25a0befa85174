import { EndpointSlice, Endpoints, Service } from '@liqo/kube';
import type { Store } from '../../store/store.ts';
import type { ClusterRoutes } from '../../subresources/cluster-routes.ts';
import { readAll, readOne } from '../read-store.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a port of a service is served right now; undefined when nowhere. */
export type ResolveService = (namespace: string, name: string, port: number) => Address | undefined;

/** One of the endpoints that are ready, as kube-proxy would choose, on the machine where the pod is. */
export function resolveByEndpoints(store: Store, routes: ClusterRoutes): ResolveService {
  return (namespace, name, port) => {
    const service = readOne(store, Service, { namespace, name });
    const served = service?.spec?.ports?.find((one) => one.port === port);
    if (!served) return undefined;
    const wanted = served.name ?? '';
    const address =
      sliceAddress(store, namespace, name, wanted) ??
      endpointsAddress(store, namespace, name, wanted);
    return address && { ...address, host: routes.machineOf(address.host) ?? address.host };
  };
}

function sliceAddress(
  store: Store,
  namespace: string,
  service: string,
  portName: string,
): Address | undefined {
  for (const { metadata, ports = [], endpoints } of readAll(store, EndpointSlice, namespace)) {
    if (metadata.labels?.['kubernetes.io/service-name'] !== service) continue;
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    const host = endpoints.find(({ conditions }) => conditions?.ready ?? true)?.addresses[0];
    if (host !== undefined && port !== undefined) return { host, port };
  }
  return undefined;
}

function endpointsAddress(
  store: Store,
  namespace: string,
  service: string,
  portName: string,
): Address | undefined {
  const { subsets = [] } = readOne(store, Endpoints, { namespace, name: service }) ?? {};
  for (const { addresses = [], ports = [] } of subsets) {
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    const host = addresses[0]?.ip;
    if (host !== undefined && port !== undefined) return { host, port };
  }
  return undefined;
}
