import { deepEqual, type Endpoints, type Pod, type Service, type Stored } from '@liqo/kube';
import type { EndpointAddress, EndpointSubset } from 'kubernetes-types/core/v1.d.ts';
import type { EndpointPort } from 'kubernetes-types/discovery/v1.d.ts';
import { isPodReady } from '../pod-state.ts';
import {
  addressesOf,
  addressTypesOf,
  hostnameOf,
  isHeadless,
  podsBehind,
  portsOf,
  targetRefOf,
} from './service-endpoints.ts';

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const headlessLabel = 'service.kubernetes.io/headless';

/** The older form of the same facts, under the name of the service. Undefined if it is up to date. */
export function planEndpoints(
  service: Stored<Service>,
  pods: readonly Stored<Pod>[],
  existing: Stored<Endpoints> | undefined,
): Endpoints | undefined {
  const subsets = planSubsets(service, pods);
  const labels = labelsFor(service);
  const isSame =
    deepEqual(existing?.subsets ?? [], subsets) && deepEqual(existing?.metadata.labels, labels);
  if (existing && isSame) return undefined;
  const { namespace = '', name } = service.metadata;
  return {
    ...existing,
    metadata: { ...(existing?.metadata ?? { namespace, name }), labels },
    ...(subsets.length > 0 ? { subsets: [...subsets] } : { subsets: [] }),
  };
}

function labelsFor(service: Stored<Service>): Record<string, string> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) && { [headlessLabel]: '' }),
    [managedByLabel]: 'endpoint-controller',
  };
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly ready: EndpointAddress[];
  readonly notReady: EndpointAddress[];
}

/** One subset for all pods that serve at the same ports. */
function planSubsets(
  service: Stored<Service>,
  pods: readonly Stored<Pod>[],
): readonly EndpointSubset[] {
  const { publishNotReadyAddresses = false } = service.spec ?? {};
  const groups = new Map<string, Group>();
  for (const pod of podsBehind(pods, { withTerminating: publishNotReadyAddresses })) {
    const address = addressOf(service, pod);
    const ports = portsOf(service, pod);
    const serves = ports.length > 0 || (isHeadless(service) && !service.spec?.ports?.length);
    if (!address || !serves) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    const isReady = publishNotReadyAddresses || isPodReady(pod);
    (isReady ? group.ready : group.notReady).push(address);
    groups.set(key, group);
  }
  return [...groups.values()].map(subsetOf);
}

function subsetOf({ ports, ready, notReady }: Group): EndpointSubset {
  const byIp = (a: EndpointAddress, b: EndpointAddress) => (a.ip < b.ip ? -1 : 1);
  return {
    ...(ready.length > 0 && { addresses: ready.toSorted(byIp) }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady.toSorted(byIp) }),
    ...(ports.length > 0 && { ports: ports.map(legacyPort) }),
  };
}

/** Here, unlike in a slice, a port without a name has no empty one either. */
function legacyPort({ name, port = 0, protocol = 'TCP', appProtocol }: EndpointPort) {
  return { ...(name && { name }), port, protocol, ...(appProtocol && { appProtocol }) };
}

function addressOf(service: Stored<Service>, pod: Stored<Pod>): EndpointAddress | undefined {
  const [type = 'IPv4'] = addressTypesOf(service);
  const [ip] = addressesOf(pod, type);
  if (ip === undefined) return undefined;
  const { nodeName } = pod.spec ?? {};
  const hostname = hostnameOf(service, pod);
  return {
    ip,
    ...(nodeName && { nodeName }),
    ...(hostname && { hostname }),
    targetRef: targetRefOf(pod),
  };
}
