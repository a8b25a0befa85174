import {
  Configuration,
  Connection,
  FirewallConfiguration,
  GatewayClient,
  GatewayServer,
  GeneveTunnel,
  InternalFabric,
  InternalNode,
  IP,
  Network,
  PublicKey,
  RouteConfiguration,
  WgGatewayClient,
  WgGatewayClientTemplate,
  WgGatewayServer,
  WgGatewayServerTemplate,
} from '@liqo/api';
import type { Sample } from './liqo-kind-document.ts';
import { deployment, liqoCondition, pem, reference, service, time } from './liqo-kind-fragments.ts';

const ranges = { cidr: { pod: ['10.243.0.0/16'], external: ['10.70.0.0/16'] } };
const endpoint = { addresses: ['192.0.2.7'], port: 51840, protocol: 'UDP' };
const internalEndpoint = { ip: '10.0.0.9', node: 'worker-1' };
const metrics = {
  enabled: true,
  service,
  serviceMonitor: {
    metadata: { labels: { team: 'blue' } },
    spec: { endpoints: [{ port: 'metrics' }], selector: { matchLabels: { app: 'gateway' } } },
  },
};
const template = {
  objectKind: { apiVersion: 'networking.liqo.io/v1beta1', kind: 'WgGatewayServer' },
  template: { metadata: { name: '{{ .Name }}' }, spec: { deployment: { spec: { replicas: 1 } } } },
};
const hostConditions = [{ host: 'worker-1', type: 'Applied', status: 'True' }];

/** One document for each kind of networking and ipam. */
export const networkSamples: readonly Sample[] = [
  [
    Configuration,
    {
      spec: { local: ranges, remote: ranges },
      status: {
        conditions: [{ type: 'NetworkCIDRsConfigured', status: 'True', ...liqoCondition }],
        remote: ranges,
      },
    },
  ],
  [
    Connection,
    {
      spec: { type: 'Server', gatewayRef: reference },
      status: { value: 'Connected', latency: { value: '1ms', timestamp: time } },
    },
  ],
  [
    GatewayServer,
    {
      spec: {
        serverTemplateRef: reference,
        mtu: 1340,
        endpoint: { port: 51840, serviceType: 'NodePort', nodePort: 30000 },
        secretRef: { name: 'keys' },
        serviceAnnotations: { a: 'b' },
        serviceLabels: { c: 'd' },
      },
      status: { serverRef: reference, endpoint, secretRef: reference, internalEndpoint },
    },
  ],
  [
    GatewayClient,
    {
      spec: { clientTemplateRef: reference, mtu: 1340, endpoint, secretRef: { name: 'keys' } },
      status: { clientRef: reference, secretRef: reference, internalEndpoint },
    },
  ],
  [PublicKey, { spec: { publicKey: pem } }],
  [
    WgGatewayServer,
    {
      spec: { service, deployment, metrics, secretRef: { name: 'keys' } },
      status: { secretRef: reference, endpoint, internalEndpoint },
    },
  ],
  [
    WgGatewayClient,
    {
      spec: { deployment, metrics, secretRef: { name: 'keys' } },
      status: { secretRef: reference, internalEndpoint },
    },
  ],
  [WgGatewayServerTemplate, { spec: template }],
  [WgGatewayClientTemplate, { spec: template }],
  [
    FirewallConfiguration,
    {
      spec: {
        table: {
          name: 'mss-clamping',
          family: 'IPV4',
          chains: [
            {
              name: 'forward',
              type: 'filter',
              hook: 'forward',
              policy: 'accept',
              priority: -10,
              rules: {
                filterRules: [
                  {
                    name: 'clamp',
                    action: 'tcpmssclamp',
                    value: '1300',
                    match: [
                      {
                        op: 'eq',
                        proto: { value: 'tcp' },
                        dev: { value: 'liqo-tunnel', position: 'out' },
                      },
                    ],
                  },
                ],
              },
            },
            {
              name: 'nat',
              type: 'nat',
              hook: 'postrouting',
              policy: 'accept',
              rules: {
                natRules: [
                  {
                    natType: 'snat',
                    to: '10.0.0.1',
                    targetRef: reference,
                    match: [
                      { op: 'neq', ip: { value: '10.0.0.0/8', position: 'src' } },
                      { op: 'eq', port: { value: '80', position: 'dst' } },
                    ],
                  },
                ],
              },
            },
          ],
        },
      },
      status: { conditions: hostConditions },
    },
  ],
  [
    RouteConfiguration,
    {
      spec: {
        table: {
          name: 'milan',
          rules: [
            {
              dst: '10.243.0.0/16',
              fwmark: 1,
              routes: [
                { dst: '10.243.0.0/16', gw: '10.80.0.1', dev: 'liqo', onlink: true, scope: 'link' },
              ],
            },
          ],
        },
      },
      status: { conditions: hostConditions },
    },
  ],
  [
    InternalNode,
    {
      spec: { interface: { gateway: { name: 'liqo.x' }, node: { ip: '10.80.0.3' } } },
      status: { nodeIP: { local: '10.0.0.3', remote: '10.0.0.4' } },
    },
  ],
  [
    InternalFabric,
    {
      spec: {
        mtu: 1340,
        remoteCIDRs: ['10.243.0.0/16'],
        gatewayIP: '10.0.0.9',
        interface: { node: { name: 'liqo.y' }, gateway: { ip: '10.80.0.1' } },
      },
    },
  ],
  [
    GeneveTunnel,
    { spec: { id: 4294967295, internalNodeRef: reference, internalFabricRef: reference } },
  ],
  [Network, { spec: { cidr: '10.71.0.0/16', preAllocated: 16 }, status: { cidr: '10.72.0.0/16' } }],
  [
    IP,
    {
      spec: {
        ip: '10.0.0.5',
        networkRef: reference,
        serviceTemplate: service,
        masquerade: false,
      },
      status: { ip: '10.70.0.5', cidr: '10.70.0.0/16' },
    },
  ],
];
