import { annotations, labels, type ShadowEndpointSlice } from '@liqo/api';
import type { EndpointSlice, Namespace, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rangeSet } from '../testing/range-set.ts';
import { type EndpointPlace, planEndpointSlice } from './plan-endpoint-slice.ts';

type Template = NonNullable<ShadowEndpointSlice['spec']['template']>;
type Endpoint = NonNullable<Template['endpoints']>[number];

const manager = 'endpointslice.kubernetes.io/managed-by';

const namespace: Namespace = {
  metadata: { name: 'shop-rome', labels: { [labels.remoteClusterID]: 'rome' } },
};

const place: EndpointPlace = {
  namespace,
  isReachable: true,
  addressPolicy: {
    isReflected: true,
    own: rangeSet('10.96.0.0/12', '192.168.7.4/32', '10.244.0.0/16'),
    exempt: rangeSet('10.244.128.0/17'),
  },
};

function shadow(
  template: Partial<Template> = {},
  metadata: Partial<Stored<ShadowEndpointSlice>['metadata']> = {},
): Stored<ShadowEndpointSlice> {
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'ShadowEndpointSlice',
    metadata: {
      name: 'cart-qc6qh',
      namespace: 'shop-rome',
      uid: 'shadow-uid',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      labels: {
        app: 'cart',
        'kubernetes.io/service-name': 'cart',
        [manager]: 'endpointslice.reflection.liqo.io',
        [labels.origin]: 'rome',
        [labels.destination]: 'milan',
      },
      ...metadata,
    },
    spec: {
      template: {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.80.0.3'], conditions: { ready: true } }],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        ...template,
      },
    },
  };
}

function stored(slice: EndpointSlice): Stored<EndpointSlice> {
  return {
    ...slice,
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...slice.metadata,
      name: slice.metadata?.name ?? '',
      uid: 'slice-uid',
      resourceVersion: '2',
      creationTimestamp: '2030-01-01T00:00:00Z',
    },
  };
}

function forged(from = shadow(), at = place): EndpointSlice {
  const step = planEndpointSlice(from, undefined, at);
  if (step.type !== 'create') throw new Error(`expected create, got ${step.type}`);
  return step.slice;
}

const endpointsOf = (endpoint: Endpoint, at = place) =>
  forged(shadow({ endpoints: [endpoint] }), at).endpoints;

describe('planEndpointSlice()', () => {
  test('creates the EndpointSlice as a provider that runs Liqo does', () => {
    expect(forged()).toEqual({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: 'cart-qc6qh',
        namespace: 'shop-rome',
        labels: {
          app: 'cart',
          'kubernetes.io/service-name': 'cart',
          [manager]: 'endpointslice.reflection.liqo.io',
          [labels.managedBy]: 'shadowendpointslice',
          [labels.origin]: 'rome',
          [labels.destination]: 'milan',
        },
        annotations: { [annotations.appliedMetadata]: expect.any(String) },
        ownerReferences: [
          {
            apiVersion: 'offloading.liqo.io/v1beta1',
            kind: 'ShadowEndpointSlice',
            name: 'cart-qc6qh',
            uid: 'shadow-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.80.0.3'], conditions: { ready: true }, nodeName: 'rome' }],
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    });
  });

  test('leaves an EndpointSlice that is up to date, ports without a name included', () => {
    const from = shadow({ ports: [{ port: 80 }] });
    const slice = forged(from);
    expect(slice.ports).toEqual([{ name: '', protocol: 'TCP', port: 80 }]);
    expect(planEndpointSlice(from, stored(slice), place)).toEqual({ type: 'leave', refused: [] });
  });

  test('completes a ShadowEndpointSlice without endpoints and ports', () => {
    const { metadata, ...rest } = shadow();
    const from = { ...rest, metadata, spec: { template: { addressType: 'IPv6' as const } } };
    expect(forged(from)).toMatchObject({ addressType: 'IPv6', endpoints: [], ports: [] });
  });

  test.each<[string, (slice: EndpointSlice) => EndpointSlice]>([
    ['other endpoints', (slice) => ({ ...slice, endpoints: [{ addresses: ['10.80.0.9'] }] })],
    ['other ports', (slice) => ({ ...slice, ports: [] })],
    ['no labels', (slice) => ({ ...slice, metadata: { ...slice.metadata, labels: {} } })],
    ['no owner', (slice) => ({ ...slice, metadata: { ...slice.metadata, ownerReferences: [] } })],
  ])('repairs an EndpointSlice that has %s', (_, change) => {
    const step = planEndpointSlice(shadow(), stored(change(forged())), place);
    expect(step).toMatchObject({ type: 'update', slice: forged() });
  });

  test('keeps labels of others, and removes those that the consumer has removed', () => {
    const current = stored(forged());
    const labelled = {
      ...current,
      metadata: { ...current.metadata, labels: { ...current.metadata.labels, team: 'ops' } },
    };
    const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };
    const step = planEndpointSlice(shadow({}, { labels: marks }), labelled, place);
    expect(step.type === 'update' && step.slice.metadata.labels).toEqual({
      ...marks,
      team: 'ops',
      [manager]: 'endpointslice.reflection.liqo.io',
      [labels.managedBy]: 'shadowendpointslice',
    });
  });

  test('takes over the EndpointSlice of a ShadowEndpointSlice that was created anew', () => {
    const step = planEndpointSlice(shadow({}, { uid: 'new-uid' }), stored(forged()), place);
    expect(step).toMatchObject({
      type: 'update',
      slice: { metadata: { ownerReferences: [{ uid: 'new-uid' }] } },
    });
  });

  test.each([
    ['of no controller', {}, []],
    ['of another controller', {}, ['Service']],
    [
      'of another controller, whatever its label',
      { [labels.managedBy]: 'shadowendpointslice' },
      ['Service'],
    ],
  ])('refuses to touch an EndpointSlice %s', (_, marks, owners) => {
    const ownerReferences = owners.map((kind) => ({
      apiVersion: 'v1',
      kind,
      name: 'cart-qc6qh',
      uid: 'uid',
      controller: true,
    }));
    const slice = { ...forged(), metadata: { name: 'cart-qc6qh', labels: marks, ownerReferences } };
    expect(planEndpointSlice(shadow(), stored(slice), place)).toMatchObject({
      type: 'refuse',
      reason: 'NameTaken',
    });
  });

  test.each([
    ['another consumer', { [labels.origin]: 'paris' }],
    ['nobody', {}],
  ])('refuses a ShadowEndpointSlice that comes from %s', (_, marks) => {
    expect(planEndpointSlice(shadow({}, { labels: marks }), undefined, place)).toMatchObject({
      type: 'refuse',
      reason: 'OriginMismatch',
    });
  });

  test.each([['FQDN' as const], [undefined]])('refuses the address type %s', (addressType) => {
    const { metadata, ...rest } = shadow();
    const template = addressType ? { addressType } : {};
    const step = planEndpointSlice({ ...rest, metadata, spec: { template } }, undefined, place);
    expect(step).toMatchObject({ type: 'refuse', reason: 'AddressType' });
  });

  test('leaves what is being deleted', () => {
    const deletionTimestamp = '2030-01-01T00:01:00Z';
    const gone = shadow({}, { deletionTimestamp });
    expect(planEndpointSlice(gone, undefined, place).type).toBe('leave');
    const current = stored(forged());
    const going = { ...current, metadata: { ...current.metadata, deletionTimestamp }, ports: [] };
    expect(planEndpointSlice(shadow(), going, place).type).toBe('leave');
  });

  test.each([
    ['a consumer that is reached', true, true, true],
    ['a consumer that is reached, not having said whether it is ready', undefined, true, true],
    ['a consumer that is reached, but not ready', false, true, false],
    ['a consumer that is not reached', true, false, false],
    ['a consumer that is not reached, and not ready', false, false, false],
  ])('makes an endpoint of %s ready or not', (_, said, isReachable, ready) => {
    const conditions = { serving: true, ...(said !== undefined && { ready: said }) };
    const endpoint = { addresses: ['10.80.0.3'], conditions };
    expect(endpointsOf(endpoint, { ...place, isReachable })[0]?.conditions).toEqual({ ready });
  });

  test('believes nothing that a consumer says of Nodes, pods and managers', () => {
    const targetRef = { kind: 'Pod', name: 'secrets', namespace: 'kube-system' };
    const endpoint = { addresses: ['10.80.0.3'], nodeName: 'worker-1', targetRef };
    expect(endpointsOf(endpoint)).toEqual([
      { addresses: ['10.80.0.3'], conditions: { ready: true }, nodeName: 'rome' },
    ]);
    const marks = { [labels.origin]: 'rome', [manager]: 'endpointslice-controller.k8s.io' };
    expect(forged(shadow({}, { labels: marks })).metadata?.labels).toMatchObject({
      [manager]: 'endpointslice.reflection.liqo.io',
    });
  });

  test('keeps host name, zone, hints and the reference to a pod of another cluster', () => {
    const endpoint = {
      addresses: ['10.80.0.3'],
      hostname: 'db-0',
      zone: 'eu-1',
      hints: { forZones: [{ name: 'eu-1' }] },
      targetRef: { kind: 'RemotePod', name: 'db-0', namespace: 'shop' },
    };
    expect(endpointsOf(endpoint)).toEqual([
      { ...endpoint, conditions: { ready: true }, nodeName: 'rome' },
    ]);
  });

  test('leaves out addresses that lead into this cluster, and endpoints that have no other', () => {
    const endpoints = [
      { addresses: ['10.80.0.3', '10.96.0.1'] },
      { addresses: ['192.168.7.4'] },
      { addresses: ['10.244.200.1'] },
      { addresses: ['169.254.169.254'] },
      { addresses: ['example.org'] },
      { addresses: ['fd00::3'] },
    ];
    const step = planEndpointSlice(shadow({ endpoints }), undefined, place);
    expect(step).toMatchObject({
      type: 'create',
      slice: { endpoints: [{ addresses: ['10.80.0.3'] }, { addresses: ['10.244.200.1'] }] },
      refused: [
        { address: '10.96.0.1' },
        { address: '192.168.7.4' },
        { address: '169.254.169.254', problem: 'it is a link-local address' },
        { address: 'example.org', problem: 'it is not an IPv4 address' },
        { address: 'fd00::3', problem: 'it is not an IPv4 address' },
      ],
    });
  });

  test('checks addresses as they are after their translation', () => {
    const translateAddress = (address: string) => address.replace('10.80.', '10.97.');
    const translated = { ...place, translateAddress };
    const step = planEndpointSlice(shadow(), undefined, translated);
    expect(step).toMatchObject({ slice: { endpoints: [] }, refused: [{ address: '10.97.0.3' }] });
  });

  test('keeps annotations, without the data of direct connections and our own record', () => {
    const from = shadow(
      {},
      {
        annotations: {
          'endpoints.kubernetes.io/last-change-trigger-time': '2030-01-01T00:00:00Z',
          [annotations.directConnectionsData]: '{}',
          [annotations.appliedMetadata]: 'forged',
        },
      },
    );
    expect(forged(from).metadata?.annotations).toEqual({
      'endpoints.kubernetes.io/last-change-trigger-time': '2030-01-01T00:00:00Z',
      [annotations.appliedMetadata]: expect.stringContaining('last-change-trigger-time'),
    });
  });
});
