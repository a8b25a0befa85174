export { allKinds } from './all-kinds.ts';
export { annotations } from './annotations.ts';
export { Identity } from './authentication/identity.ts';
export { Renew } from './authentication/renew.ts';
export { ResourceSlice } from './authentication/resource-slice.ts';
export { Tenant } from './authentication/tenant.ts';
export { mostReflectionConditions } from './bounds.ts';
export { builtInGroups } from './built-in-groups.ts';
export { ClusterConfig } from './config/cluster-config.ts';
export { ForeignCluster } from './core/foreign-cluster.ts';
export { forgeCustomResourceDefinition } from './custom-resource-definition.ts';
export { fillDefaults } from './fill-defaults.ts';
export { finalizers } from './finalizers.ts';
export { IP } from './ipam/ip.ts';
export { Network } from './ipam/network.ts';
export { labels, labelValues } from './labels.ts';
export {
  advertisementName,
  clusterIDInPublic,
  controlPlaneIdentityName,
  defaultRemoteNamespaceName,
  fixedNames,
  kubeconfigSecretName,
  offerVirtualNodeName,
  reflectionLeaseName,
  remoteCertificateSecretName,
  resourceSliceIdentityName,
  rootCaConfigMapName,
  serviceAccountTokenSecretName,
  tenantNamespaceName,
  virtualKubeletBindingName,
  virtualKubeletName,
  virtualKubeletTokensBindingName,
} from './names.ts';
export { Configuration } from './networking/configuration.ts';
export { Connection } from './networking/connection.ts';
export { FirewallConfiguration } from './networking/firewall-configuration.ts';
export { GatewayClient } from './networking/gateway-client.ts';
export { GatewayServer } from './networking/gateway-server.ts';
export { GeneveTunnel } from './networking/geneve-tunnel.ts';
export { InternalFabric } from './networking/internal-fabric.ts';
export { InternalNode } from './networking/internal-node.ts';
export { PublicKey } from './networking/public-key.ts';
export { RouteConfiguration } from './networking/route-configuration.ts';
export { WgGatewayClient } from './networking/wg-gateway-client.ts';
export { WgGatewayClientTemplate } from './networking/wg-gateway-client-template.ts';
export { WgGatewayServer } from './networking/wg-gateway-server.ts';
export { WgGatewayServerTemplate } from './networking/wg-gateway-server-template.ts';
export { NamespaceMap } from './offloading/namespace-map.ts';
export { NamespaceOffloading, type OffloadingPhase } from './offloading/namespace-offloading.ts';
export type { OffloadingPatch } from './offloading/offloading-patch.ts';
export { Quota } from './offloading/quota.ts';
export { ShadowEndpointSlice } from './offloading/shadow-endpoint-slice.ts';
export { ShadowPod } from './offloading/shadow-pod.ts';
export { VirtualNode } from './offloading/virtual-node.ts';
export { VkOptionsTemplate } from './offloading/vk-options-template.ts';
export type { Resource } from './resource.ts';
export type { StructuralSchema } from './schema.ts';
export {
  Advertisement,
  type AdvertisementConditionType,
  type AdvertisementDecisionReason,
} from './sharing/advertisement.ts';
export { virtualNodeTaint, virtualNodeToleration } from './taint.ts';
export { violationsOfKnown } from './violations.ts';
