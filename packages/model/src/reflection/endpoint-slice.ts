import { annotations, labels, labelValues, ShadowEndpointSlice } from '@liqo/api';
import {
  type EndpointSlice,
  type Node,
  type ObjectKey,
  ownMember,
  type Service,
  type Stored,
} from '@liqo/kube';
import { isSkipped, isSkippedExplicitly } from './is-skipped.ts';
import { planReflection, type ReflectionPlan, type ReflectionRefusal } from './plan-reflection.ts';
import type { ReflectionRoute } from './reflection-route.ts';
import { type EndpointNode, remoteEndpoints } from './remote-endpoints.ts';
import { isApiServer } from './service.ts';

/** What decides about the copy of an EndpointSlice besides the two objects, as caches show it. */
export interface EndpointFacts {
  readonly serviceOf: (key: ObjectKey) => Stored<Service> | undefined;
  readonly nodeOf: (name: string) => Stored<Node> | undefined;
}

type Slice = Stored<EndpointSlice>;

const serviceName = 'kubernetes.io/service-name';
const manager = 'endpointslice.kubernetes.io/managed-by';

/** Only for a metric of the consumer's kube-proxy, and changed with every pod: it would cost one write for each. */
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Endpoints that run elsewhere become a ShadowEndpointSlice, of which the provider makes an EndpointSlice. */
export function planShadowEndpointSlice(
  facts: EndpointFacts,
): ReflectionPlan<EndpointSlice, ShadowEndpointSlice> {
  return planReflection<EndpointSlice, ShadowEndpointSlice>({
    kind: ShadowEndpointSlice,
    verbatim: [['spec']],
    labels: { [manager]: labelValues.endpointSliceManager },
    annotationsNotReflected: [triggerTime],
    isSkipped: (local, route) => isSkippedWithService(local, route, facts),
    refuse: refuseSlice,
    forge: (local, route) => ({
      spec: { template: remoteEndpoints(local, endpointRoute(route, facts)).template },
    }),
  });
}

/** The Service that an EndpointSlice belongs to. */
export function serviceOfSlice({ metadata }: Slice): string | undefined {
  return ownMember(metadata.labels, serviceName);
}

/** What matters of a Node of many kilobytes: whether it stands for a provider, and for which. */
export function withProviderOnly({ apiVersion, kind, metadata }: Stored<Node>): Stored<Node> {
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  const kept = pick(metadata.labels, [labels.type, labels.remoteClusterID]);
  const identity = { name, uid, resourceVersion, creationTimestamp };
  return { apiVersion, kind, metadata: { ...identity, labels: kept } };
}

/** What matters of a Service: whether it is reflected. */
export function withPolicyOnly({ apiVersion, kind, metadata }: Stored<Service>): Stored<Service> {
  const { namespace, name, uid, resourceVersion, creationTimestamp } = metadata;
  const kept = pick(metadata.annotations, [
    annotations.skipReflection,
    annotations.allowReflection,
  ]);
  const identity = { namespace: namespace ?? '', name, uid, resourceVersion, creationTimestamp };
  return { apiVersion, kind, metadata: { ...identity, annotations: kept } };
}

function pick(
  entries: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): Record<string, string> {
  const found = keys.map((key) => [key, ownMember(entries, key)] as const);
  return Object.fromEntries(
    found.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** An annotation of its own decides; otherwise it goes the way of its Service. */
function isSkippedWithService(
  local: Slice,
  { policy }: ReflectionRoute,
  { serviceOf }: EndpointFacts,
): boolean {
  const { namespace = '' } = local.metadata;
  const name = serviceOfSlice(local);
  if (name !== undefined && isApiServer({ namespace, name })) return true;
  if (isAnnotated(local)) return isSkippedExplicitly(local);
  const service = name === undefined ? undefined : serviceOf({ namespace, name });
  return isSkipped(service ?? local, policy);
}

function isAnnotated({ metadata }: Slice): boolean {
  const own = metadata.annotations;
  return (
    ownMember(own, annotations.skipReflection) !== undefined ||
    ownMember(own, annotations.allowReflection) !== undefined
  );
}

function refuseSlice({ metadata, addressType }: Slice): ReflectionRefusal | undefined {
  if (addressType !== 'FQDN') return undefined;
  const message = `EndpointSlice "${metadata.name}" is not reflected: its addresses are host names, and only IP addresses are`;
  return { reason: 'ReflectionDisabled', message };
}

function endpointRoute(
  { consumerClusterID, providerClusterID }: ReflectionRoute,
  { nodeOf }: EndpointFacts,
) {
  return {
    consumerClusterID,
    providerClusterID,
    nodeOf: (name: string) => describeNode(nodeOf(name)),
  };
}

/** What a Node is to the reflection of endpoints and claims. */
export function describeNode(node: Stored<Node> | undefined): EndpointNode {
  if (!node) return { type: 'unknown' };
  const { labels: marks } = node.metadata;
  if (ownMember(marks, labels.type) !== labelValues.virtualNode) return { type: 'physical' };
  const providerClusterID = ownMember(marks, labels.remoteClusterID);
  return providerClusterID === undefined
    ? { type: 'unknown' }
    : { type: 'virtual', providerClusterID };
}
