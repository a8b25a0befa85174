import { Identity } from './authentication/identity.ts';
import { Renew } from './authentication/renew.ts';
import { ResourceSlice } from './authentication/resource-slice.ts';
import { Tenant } from './authentication/tenant.ts';
import { ClusterConfig } from './config/cluster-config.ts';
import { ForeignCluster } from './core/foreign-cluster.ts';
import { IP } from './ipam/ip.ts';
import { Network } from './ipam/network.ts';
import { Configuration } from './networking/configuration.ts';
import { Connection } from './networking/connection.ts';
import { FirewallConfiguration } from './networking/firewall-configuration.ts';
import { GatewayClient } from './networking/gateway-client.ts';
import { GatewayServer } from './networking/gateway-server.ts';
import { GeneveTunnel } from './networking/geneve-tunnel.ts';
import { InternalFabric } from './networking/internal-fabric.ts';
import { InternalNode } from './networking/internal-node.ts';
import { PublicKey } from './networking/public-key.ts';
import { RouteConfiguration } from './networking/route-configuration.ts';
import { WgGatewayClient } from './networking/wg-gateway-client.ts';
import { WgGatewayClientTemplate } from './networking/wg-gateway-client-template.ts';
import { WgGatewayServer } from './networking/wg-gateway-server.ts';
import { WgGatewayServerTemplate } from './networking/wg-gateway-server-template.ts';
import { NamespaceMap } from './offloading/namespace-map.ts';
import { NamespaceOffloading } from './offloading/namespace-offloading.ts';
import { Quota } from './offloading/quota.ts';
import { ShadowEndpointSlice } from './offloading/shadow-endpoint-slice.ts';
import { ShadowPod } from './offloading/shadow-pod.ts';
import { VirtualNode } from './offloading/virtual-node.ts';
import { VkOptionsTemplate } from './offloading/vk-options-template.ts';
import type { Resource } from './resource.ts';
import { Advertisement } from './sharing/advertisement.ts';

/** Every kind of ours, by group. */
export const allKinds: readonly Resource[] = [
  ForeignCluster,
  Identity,
  Renew,
  ResourceSlice,
  Tenant,
  NamespaceMap,
  NamespaceOffloading,
  Quota,
  ShadowEndpointSlice,
  ShadowPod,
  VirtualNode,
  VkOptionsTemplate,
  Advertisement,
  ClusterConfig,
  Configuration,
  Connection,
  FirewallConfiguration,
  GatewayClient,
  GatewayServer,
  GeneveTunnel,
  InternalFabric,
  InternalNode,
  PublicKey,
  RouteConfiguration,
  WgGatewayClient,
  WgGatewayClientTemplate,
  WgGatewayServer,
  WgGatewayServerTemplate,
  IP,
  Network,
];
