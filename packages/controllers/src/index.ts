export { generateClusterKey } from './authentication/cluster-keys.ts';
export {
  type ConsumerAuthenticationOptions,
  startConsumerAuthentication,
} from './authentication/consumer-authentication.ts';
export {
  type ProviderAuthenticationOptions,
  startProviderAuthentication,
} from './authentication/provider-authentication.ts';
export { startKubeletServingController } from './certificates/kubelet-serving-controller.ts';
export type { ControllerContext } from './controller-context.ts';
export { startEnabledNamespaceController } from './namespaces/enabled-namespace-controller.ts';
export {
  type NamespaceMapOptions,
  startNamespaceMapController,
} from './namespaces/namespace-map-controller.ts';
export { startNamespaceOffloadingController } from './namespaces/namespace-offloading-controller.ts';
export { startClusterConfigController } from './offers/cluster-config-controller.ts';
export { startOfferController } from './offers/offer-controller.ts';
export { startOfferFetchController } from './offers/offer-fetch-controller.ts';
export { startOfferKeepalive } from './offers/offer-keepalive.ts';
export { type OwnOfferOptions, startOwnOfferController } from './offers/own-offer-controller.ts';
export { startForeignClusterController } from './peers/foreign-cluster-controller.ts';
export { PeerLinks } from './peers/peer-links.ts';
export { startPodStatusController } from './pod-status/pod-status-controller.ts';
export { startReflectionAccessController } from './reflection-access/reflection-access-controller.ts';
export { startReplicationController } from './replication/replication-controller.ts';
export {
  type EndpointSliceControllerOptions,
  startShadowEndpointSliceController,
} from './shadow-endpoint-slices/shadow-endpoint-slice-controller.ts';
export {
  type ShadowPodOptions,
  startShadowPodController,
} from './shadow-pods/shadow-pod-controller.ts';
export { type ProviderSlicesOptions, startProviderSlices } from './slices/provider-slices.ts';
export { startTenantAccessController } from './tenant-access/tenant-access-controller.ts';
export {
  startVirtualNodeController,
  type VirtualNodeOptions,
} from './virtual-nodes/virtual-node-controller.ts';
