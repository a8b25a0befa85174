import { annotations, labels, labelValues, ShadowEndpointSlice } from '@liqo/api';
import {
  apiVersionOf,
  deepEqual,
  type EndpointSlice,
  type Namespace,
  type Stored,
} from '@liqo/kube';
import { appliedMetadata, applyMetadata, type WantedMetadata } from '../applied-metadata.ts';
import { ownerReference } from '../authentication/owner-reference.ts';
import { describeWrongOrigin, hasRightOrigin, originOf } from '../namespaces/origin.ts';
import { acceptEndpoints, type EndpointRules, type RefusedAddress } from './accept-endpoints.ts';

type EndpointPort = NonNullable<EndpointSlice['ports']>[number];

/** What to do next so that a ShadowEndpointSlice has the EndpointSlice that it asks for. */
export type EndpointSliceStep =
  | EndpointSliceWrite
  | { readonly type: 'leave'; readonly refused: readonly RefusedAddress[] }
  | {
      readonly type: 'refuse';
      readonly reason: 'AddressType' | 'NameTaken' | 'OriginMismatch';
      readonly message: string;
    };

type EndpointSliceWrite =
  | {
      readonly type: 'create';
      readonly slice: EndpointSlice;
      readonly refused: readonly RefusedAddress[];
    }
  | {
      readonly type: 'update';
      readonly slice: Stored<EndpointSlice>;
      readonly refused: readonly RefusedAddress[];
    };

/** Where the endpoints of a consumer go. */
export interface EndpointPlace extends Omit<EndpointRules, 'addressType' | 'origin'> {
  readonly namespace: Namespace;
}

/**
 * The next step, given the ShadowEndpointSlice, the EndpointSlice of its name as the API server has it now, and the namespace
 * of both. An EndpointSlice that was not made for it is not touched. Deletion is up to the garbage collector.
 */
export function planEndpointSlice(
  shadow: Stored<ShadowEndpointSlice>,
  current: Stored<EndpointSlice> | undefined,
  { namespace, ...place }: EndpointPlace,
): EndpointSliceStep {
  if (shadow.metadata.deletionTimestamp !== undefined) return { type: 'leave', refused: [] };
  const origin = originOf(shadow);
  if (origin === undefined || !hasRightOrigin(shadow, namespace)) {
    return refuse(shadow, 'OriginMismatch', describeWrongOrigin(shadow, namespace));
  }
  const { addressType, endpoints = [], ports = [] } = shadow.spec.template ?? {};
  if (addressType !== 'IPv4' && addressType !== 'IPv6') {
    return refuse(shadow, 'AddressType', `spec.template.addressType is "${addressType ?? ''}"`);
  }
  if (current && !isMadeFor(shadow, current)) {
    const fact = 'an EndpointSlice of that name exists and was not made for it';
    return refuse(shadow, 'NameTaken', fact);
  }
  const accepted = acceptEndpoints(endpoints, { ...place, addressType, origin });
  const wanted = {
    addressType,
    endpoints: [...accepted.endpoints],
    ports: ports.map(withDefaults),
  };
  const { refused } = accepted;
  if (!current) return { type: 'create', slice: { ...headOf(shadow), ...wanted }, refused };
  if (current.metadata.deletionTimestamp !== undefined) return { type: 'leave', refused };
  const { metadata } = headOf(shadow, current);
  const slice = { ...current, ...wanted, metadata: { ...current.metadata, ...metadata } };
  return deepEqual(slice, current)
    ? { type: 'leave', refused }
    : { type: 'update', slice, refused };
}

function headOf(
  shadow: Stored<ShadowEndpointSlice>,
  current?: Stored<EndpointSlice>,
): Pick<EndpointSlice, 'apiVersion' | 'kind'> & Pick<Required<EndpointSlice>, 'metadata'> {
  const { name, namespace } = shadow.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...applyMetadata(current?.metadata, wantedMetadata(shadow)),
      ownerReferences: [ownerReference(ShadowEndpointSlice, shadow.metadata)],
    },
  };
}

const kubernetesManager = 'endpointslice.kubernetes.io/managed-by';

/** Kubernetes' own controller removes what it manages and finds no reason for: the consumer has no say in who manages it. */
function wantedMetadata({ metadata }: Stored<ShadowEndpointSlice>): WantedMetadata {
  const {
    [annotations.directConnectionsData]: _,
    [appliedMetadata]: __,
    ...kept
  } = metadata.annotations ?? {};
  return {
    labels: {
      ...metadata.labels,
      [labels.managedBy]: labelValues.managedByShadowEndpointSlice,
      [kubernetesManager]: labelValues.endpointSliceManager,
    },
    annotations: kept,
  };
}

/** By its label, should its owner reference have been removed; by its owner, should its label have been. */
function isMadeFor(shadow: Stored<ShadowEndpointSlice>, { metadata }: EndpointSlice): boolean {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!owner)
    return metadata?.labels?.[labels.managedBy] === labelValues.managedByShadowEndpointSlice;
  const isShadow =
    owner.kind === ShadowEndpointSlice.kind &&
    owner.apiVersion === apiVersionOf(ShadowEndpointSlice);
  return isShadow && owner.name === shadow.metadata.name;
}

/** As the API server completes them: a slice that is up to date is not written again. */
function withDefaults({
  name = '',
  protocol = 'TCP',
  port,
  appProtocol,
}: EndpointPort): EndpointPort {
  return {
    name,
    protocol,
    ...(port !== undefined && { port }),
    ...(appProtocol !== undefined && { appProtocol }),
  };
}

function refuse(
  { metadata }: Stored<ShadowEndpointSlice>,
  reason: Extract<EndpointSliceStep, { type: 'refuse' }>['reason'],
  fact: string,
): EndpointSliceStep {
  const message = `Cannot make an EndpointSlice of ShadowEndpointSlice "${metadata.name}": ${fact}`;
  return { type: 'refuse', reason, message };
}
