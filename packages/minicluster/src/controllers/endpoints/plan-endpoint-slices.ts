import {
  deepEqual,
  type EndpointSlice,
  type Node,
  type Pod,
  type Service,
  type Stored,
} from '@liqo/kube';
import type { Endpoint, EndpointPort } from 'kubernetes-types/discovery/v1.d.ts';
import { forgeControllerReference } from '../owner-reference.ts';
import { isPodReady, isPodTerminating } from '../pod-state.ts';
import {
  type AddressType,
  addressesOf,
  addressTypesOf,
  hostnameOf,
  isHeadless,
  podsBehind,
  portsOf,
  targetRefOf,
} from './service-endpoints.ts';

const sliceManager = 'endpointslice-controller.k8s.io';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const serviceNameLabel = 'kubernetes.io/service-name';
const headlessLabel = 'service.kubernetes.io/headless';
const reservedLabels: ReadonlySet<string> = new Set([
  managedByLabel,
  serviceNameLabel,
  headlessLabel,
]);
const maxEndpoints = 100;

export interface SliceInputs {
  readonly service: Stored<Service>;
  readonly pods: readonly Stored<Pod>[];
  readonly nodeOf: (name: string) => Node | undefined;
  /** Those of the service that are ours to manage. */
  readonly existing: readonly Stored<EndpointSlice>[];
}

export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly Stored<EndpointSlice>[];
  readonly remove: readonly Stored<EndpointSlice>[];
}

export function isManagedSlice({ metadata }: EndpointSlice): boolean {
  return metadata?.labels?.[managedByLabel] === sliceManager;
}

interface WantedSlice {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** Slices of the same kind of address and the same ports are reused; what is left over goes. */
export function planEndpointSlices(inputs: SliceInputs): SlicePlan {
  const unused = new Set(inputs.existing);
  const create: EndpointSlice[] = [];
  const update: Stored<EndpointSlice>[] = [];
  for (const wanted of wantedSlices(inputs)) {
    const slice = [...unused].find((one) => isReusable(one, wanted));
    if (slice) unused.delete(slice);
    if (!slice) create.push(forgeSlice(inputs.service, wanted));
    else if (!isUpToDate(slice, wanted, inputs.service)) {
      update.push(refreshSlice(slice, wanted, inputs.service));
    }
  }
  return { create, update, remove: [...unused] };
}

function wantedSlices({ service, pods, nodeOf }: SliceInputs): readonly WantedSlice[] {
  return addressTypesOf(service).flatMap((addressType) => {
    const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
    for (const pod of podsBehind(pods, { withTerminating: true })) {
      if (!isPlaced(service, pod, nodeOf)) continue;
      const addresses = addressesOf(pod, addressType);
      if (addresses.length === 0) continue;
      const ports = portsOf(service, pod);
      const key = JSON.stringify(ports);
      const group = groups.get(key) ?? { ports, endpoints: [] };
      group.endpoints.push(forgeEndpoint(service, pod, addresses, nodeOf));
      groups.set(key, group);
    }
    const slices = [...groups.values()].flatMap(({ ports, endpoints }) =>
      chunk(endpoints).map((part) => ({ addressType, ports, endpoints: part })),
    );
    return slices.length > 0 ? slices : [{ addressType, ports: [], endpoints: [] }];
  });
}

/** A pod whose node nobody knows is left out, as kube-controller-manager does, unless readiness does not matter. */
export function isPlaced(service: Service, pod: Pod, nodeOf: SliceInputs['nodeOf']): boolean {
  return Boolean(service.spec?.publishNotReadyAddresses || nodeOf(pod.spec?.nodeName ?? ''));
}

function chunk(endpoints: readonly Endpoint[]): readonly (readonly Endpoint[])[] {
  const count = Math.ceil(endpoints.length / maxEndpoints);
  return Array.from({ length: count }, (_, index) =>
    endpoints.slice(index * maxEndpoints, (index + 1) * maxEndpoints),
  );
}

function forgeEndpoint(
  service: Stored<Service>,
  pod: Stored<Pod>,
  addresses: readonly string[],
  nodeOf: SliceInputs['nodeOf'],
): Endpoint {
  const serving = isPodReady(pod);
  const terminating = isPodTerminating(pod);
  const ready = service.spec?.publishNotReadyAddresses || (serving && !terminating);
  const { nodeName } = pod.spec ?? {};
  const labels = nodeName ? nodeOf(nodeName)?.metadata?.labels : undefined;
  const zone = labels?.['topology.kubernetes.io/zone'];
  const hostname = hostnameOf(service, pod);
  return {
    addresses: [...addresses],
    conditions: { ready, serving, terminating },
    targetRef: targetRefOf(pod),
    ...(nodeName && { nodeName }),
    ...(zone && { zone }),
    ...(hostname && { hostname }),
  };
}

function labelsFor(service: Stored<Service>): Record<string, string> {
  const own = Object.entries(service.metadata.labels ?? {}).filter(
    ([key]) => !reservedLabels.has(key),
  );
  return {
    ...Object.fromEntries(own),
    ...(isHeadless(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name,
    [managedByLabel]: sliceManager,
  };
}

function forgeSlice(service: Stored<Service>, wanted: WantedSlice): EndpointSlice {
  const { namespace = '', name } = service.metadata;
  return {
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels: labelsFor(service),
      ownerReferences: [forgeControllerReference(service)],
    },
    addressType: wanted.addressType,
    ports: [...wanted.ports],
    endpoints: [...wanted.endpoints],
  };
}

/** A slice without endpoints is a placeholder, and good for any ports. */
function isReusable(slice: EndpointSlice, { addressType, ports }: WantedSlice): boolean {
  if (slice.addressType !== addressType) return false;
  return !slice.endpoints?.length || deepEqual(slice.ports ?? [], ports);
}

function isUpToDate(
  slice: Stored<EndpointSlice>,
  wanted: WantedSlice,
  service: Stored<Service>,
): boolean {
  return (
    deepEqual(slice.endpoints ?? [], wanted.endpoints) &&
    deepEqual(slice.ports ?? [], wanted.ports) &&
    deepEqual(slice.metadata.labels, labelsFor(service))
  );
}

function refreshSlice(
  slice: Stored<EndpointSlice>,
  { ports, endpoints }: WantedSlice,
  service: Stored<Service>,
): Stored<EndpointSlice> {
  const metadata = { ...slice.metadata, labels: labelsFor(service) };
  return { ...slice, metadata, ports: [...ports], endpoints: [...endpoints] };
}
