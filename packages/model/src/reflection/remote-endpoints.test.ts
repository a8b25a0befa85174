import type { EndpointSlice } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { type EndpointNode, type EndpointRoute, remoteEndpoints } from './remote-endpoints.ts';

type Endpoint = EndpointSlice['endpoints'][number];

const nodes: Readonly<Record<string, EndpointNode>> = {
  'worker-1': { type: 'physical' },
  milan: { type: 'virtual', providerClusterID: 'milan' },
  'milan-gpu': { type: 'virtual', providerClusterID: 'milan' },
  turin: { type: 'virtual', providerClusterID: 'turin' },
};

const route: EndpointRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  nodeOf: (name) => nodes[name] ?? { type: 'unknown' },
};

function slice(...endpoints: readonly Endpoint[]): EndpointSlice {
  const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
  return { addressType: 'IPv4', endpoints: [...endpoints], ports };
}

const at = (nodeName: string, address = '10.80.0.3'): Endpoint => ({
  addresses: [address],
  nodeName,
});

describe('remoteEndpoints()', () => {
  test.each<[string, Endpoint, boolean]>([
    ['drops an endpoint at the provider', at('milan'), false],
    ['drops an endpoint at the provider on another virtual node', at('milan-gpu'), false],
    ['keeps an endpoint at another provider', at('turin'), true],
    ['keeps an endpoint on a Node of the consumer', at('worker-1'), true],
    ['drops an endpoint on a Node that is not known', at('gone'), false],
    ['keeps an endpoint on no Node', { addresses: ['10.80.0.3'] }, true],
  ])('%s', (_, endpoint, isKept) => {
    const { template } = remoteEndpoints(slice(endpoint), route);
    expect(template.endpoints).toHaveLength(isKept ? 1 : 0);
  });

  test('tells of an endpoint what means something at the provider', () => {
    const endpoint: Endpoint = {
      addresses: ['10.80.0.3'],
      conditions: { ready: true, serving: true, terminating: false },
      deprecatedTopology: { 'example.org/rack': '7' },
      hints: { forZones: [{ name: 'eu-1' }] },
      hostname: 'db-0',
      nodeName: 'worker-1',
      targetRef: { kind: 'Pod', name: 'db-0', namespace: 'shop', uid: 'uid' },
      zone: 'eu-1',
    };
    expect(remoteEndpoints(slice(endpoint), route)).toEqual({
      template: {
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.80.0.3'],
            conditions: { ready: true },
            hints: { forZones: [{ name: 'eu-1' }] },
            hostname: 'db-0',
            nodeName: 'rome',
            targetRef: { kind: 'RemotePod', name: 'db-0', namespace: 'shop', uid: 'uid' },
            zone: 'eu-1',
          },
        ],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      },
      waiting: [],
    });
  });

  test('keeps an endpoint that is not ready, and one that does not say', () => {
    const [unready, silent] = [{ conditions: { ready: false } }, {}];
    const { template } = remoteEndpoints(
      slice({ ...at('worker-1'), ...unready }, { ...at('worker-1'), ...silent }),
      route,
    );
    expect(template.endpoints?.map(({ conditions }) => conditions)).toEqual([
      { ready: false },
      undefined,
    ]);
  });

  test('gives a template without endpoints and ports for a slice that has none', () => {
    const empty = { addressType: 'IPv6', endpoints: null as unknown as Endpoint[] };
    expect(remoteEndpoints(empty, route)).toEqual({
      template: { addressType: 'IPv6', endpoints: [], ports: [] },
      waiting: [],
    });
  });

  test('translates addresses, and holds up no endpoint for the address of another', () => {
    const translations = new Map([['10.80.0.3', '10.71.0.3']]);
    const { template, waiting } = remoteEndpoints(
      slice(at('worker-1'), at('worker-1', '10.80.0.4')),
      { ...route, translateAddress: (address) => translations.get(address) },
    );
    expect(template.endpoints?.map(({ addresses }) => addresses)).toEqual([['10.71.0.3']]);
    expect(waiting).toEqual(['10.80.0.4']);
  });
});
