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
    VirtualNodeOptions {
  /** Which controllers run; all where nothing is said. */
  readonly modules?: { readonly authentication: boolean; readonly offloading: boolean };
}

/** The controllers of one cluster, as consumer and as provider. */
export function startControllers(
  surroundings: Omit<ControllerContext, 'caches'>,
  options: ControllerManagerOptions,
): Stoppable {
  const context = { ...surroundings, caches: new SharedInformers(surroundings) };
  const links = new PeerLinks();
  const { authentication, offloading } = options.modules ?? allModules;
  return together([
    startTenantAccessController(context),
    startForeignClusterController(context, links),
    ...(authentication ? startAuthentication(context, links, options) : []),
    ...(offloading ? startOffloading(context, links, options) : []),
  ]);
}

const allModules = { authentication: true, offloading: true };

function startAuthentication(
  context: ControllerContext,
  links: PeerLinks,
  options: ControllerManagerOptions,
): readonly Stoppable[] {
  return [
    startConsumerAuthentication(context, options),
    startProviderAuthentication(context, options),
    startProviderSlices(context, options),
    startReplicationController(context, links),
  ];
}

function startOffloading(
  context: ControllerContext,
  links: PeerLinks,
  options: ControllerManagerOptions,
): readonly Stoppable[] {
  return [
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
  ];
}
