import { EndpointSlice, Endpoints, type Random, Service } from '@liqo/kube';
import type { Store } from '../../store/store.ts';
import type { ClusterRoutes } from '../../subresources/cluster-routes.ts';
import { readAll, readOne } from '../read-store.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a port of a service is served right now; undefined when nowhere. */
export type ResolveService = (namespace: string, name: string, port: number) => Address | undefined;

/** One of the endpoints that are ready, any of them as with kube-proxy, on the machine where the pod is. */
export function resolveByEndpoints(
  store: Store,
  routes: ClusterRoutes,
  random: Random,
): ResolveService {
  return (namespace, name, port) => {
    const service = readOne(store, Service, { namespace, name });
    const served = service?.spec?.ports?.find((one) => one.port === port);
    if (!served) return undefined;
    const wanted = served.name ?? '';
    const slices = sliceAddresses(store, namespace, name, wanted);
    const all = slices.length > 0 ? slices : endpointsAddresses(store, namespace, name, wanted);
    const address = all.length > 1 ? all[Math.floor(random() * all.length)] : all[0];
    return address && { ...address, host: routes.machineOf(address.host) ?? address.host };
  };
}

function sliceAddresses(
  store: Store,
  namespace: string,
  service: string,
  portName: string,
): readonly Address[] {
  return readAll(store, EndpointSlice, namespace).flatMap(({ metadata, ports = [], endpoints }) => {
    if (metadata.labels?.['kubernetes.io/service-name'] !== service) return [];
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    const ready = endpoints.filter(({ conditions }) => conditions?.ready ?? true);
    return addressesAt(
      ready.map(({ addresses }) => addresses[0]),
      port,
    );
  });
}

function endpointsAddresses(
  store: Store,
  namespace: string,
  service: string,
  portName: string,
): readonly Address[] {
  const { subsets = [] } = readOne(store, Endpoints, { namespace, name: service }) ?? {};
  return subsets.flatMap(({ addresses = [], ports = [] }) => {
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    return addressesAt(
      addresses.map(({ ip }) => ip),
      port,
    );
  });
}

function addressesAt(
  hosts: readonly (string | undefined)[],
  port: number | undefined,
): readonly Address[] {
  if (port === undefined) return [];
  return hosts.flatMap((host) => (host === undefined ? [] : [{ host, port }]));
}
