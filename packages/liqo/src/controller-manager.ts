import {
  type ConsumerAuthenticationOptions,
  type ControllerContext,
  type EndpointSliceControllerOptions,
  type NamespaceMapOptions,
  type OwnOfferOptions,
  PeerLinks,
  type ProviderAuthenticationOptions,
  type ProviderSlicesOptions,
  type ShadowPodOptions,
  startClusterConfigController,
  startConsumerAuthentication,
  startEnabledNamespaceController,
  startForeignClusterController,
  startKubeletServingController,
  startNamespaceMapController,
  startNamespaceOffloadingController,
  startOfferController,
  startOfferFetchController,
  startOfferKeepalive,
  startOwnOfferController,
  startPodStatusController,
  startProviderAuthentication,
  startProviderSlices,
  startReflectionAccessController,
  startReplicationController,
  startShadowEndpointSliceController,
  startShadowPodController,
  startTenantAccessController,
  startVirtualNodeController,
  type VirtualNodeOptions,
} from '@liqo/controllers';
import { SharedInformers, type Stoppable, together } from '@liqo/runtime';

export interface ControllerManagerOptions
  extends ConsumerAuthenticationOptions,
    EndpointSliceControllerOptions,
    NamespaceMapOptions,
    OwnOfferOptions,
    ShadowPodOptions,
    ProviderAuthenticationOptions,
    ProviderSlicesOptions,
    VirtualNodeOptions {}

/** All controllers of one cluster, as consumer and as provider. */
export function startControllers(
  surroundings: Omit<ControllerContext, 'caches'>,
  options: ControllerManagerOptions,
): Stoppable {
  const context = { ...surroundings, caches: new SharedInformers(surroundings) };
  const links = new PeerLinks();
  return together([
    startTenantAccessController(context),
    startConsumerAuthentication(context, options),
    startProviderAuthentication(context, options),
    startProviderSlices(context, options),
    startReplicationController(context, links),
    startForeignClusterController(context, links),
    startEnabledNamespaceController(context),
    startNamespaceOffloadingController(context),
    startNamespaceMapController(context, options),
    startShadowPodController(context, options),
    startShadowEndpointSliceController(context, options),
    startVirtualNodeController(context, options),
    startClusterConfigController(context),
    startOfferController(context),
    startOfferFetchController(context, links),
    startOfferKeepalive(context),
    startOwnOfferController(context, options),
    startReflectionAccessController(context),
    startKubeletServingController(context),
    startPodStatusController(context),
  ]);
}
