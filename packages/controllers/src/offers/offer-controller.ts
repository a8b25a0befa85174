import {
  Advertisement,
  ClusterConfig,
  Configuration,
  ForeignCluster,
  fixedNames,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import { type KubeObject, keyOf, Namespace, type ObjectKey, type Stored } from '@liqo/kube';
import { holdsPlace } from '@liqo/model';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { receivedOffers, tenantNamespaces } from '../selections.ts';
import { tenancyOf } from '../tenancy.ts';
import { AcceptedOffers } from './bring-up-offer.ts';
import { OfferReconciler } from './reconcile-offer.ts';
import { StandDown } from './stand-down-offer.ts';

/** At a consumer: decides on the Advertisements of providers, and makes virtual nodes of those that are accepted. */
export function startOfferController(context: ControllerContext): Stoppable {
  const { clusterID, liqoNamespace } = context;
  const loop = new ControlLoop(context);
  const offers = loop.watch(Advertisement, receivedOffers);
  const configs = loop.watch(ClusterConfig);
  const virtualNodes = loop.watch(VirtualNode);
  const configurations = loop.watch(Configuration);
  const peers = loop.watch(ForeignCluster);
  const templates = loop.watch(VkOptionsTemplate);
  const namespaces = loop.watch(Namespace, tenantNamespaces);
  const { secrets, bindings } = loop.watchTenantSecrets();
  const whyMisplaced = tenancyOf(namespaces);
  const defaultTemplate = { namespace: liqoNamespace, name: fixedNames.defaultVkOptionsTemplate };
  const placeOf = ({ metadata, spec }: Stored<Advertisement>) => ({
    ownClusterID: clusterID,
    misplaced: whyMisplaced(metadata.namespace ?? '', spec.providerClusterID),
  });
  const standDown = new StandDown({ ...context, offers });
  const accepted = new AcceptedOffers({
    ...context,
    offers,
    virtualNodes,
    configurations,
    peers,
    secrets,
    placeOf,
    readDefaults: () => templates.get(defaultTemplate)?.spec ?? defaults,
  });
  const reconciler = new OfferReconciler({
    ...context,
    offers,
    configs,
    placeOf,
    accepted,
    standDown,
  });
  const all = () => offers.list().map(keyOf);
  const inNamespace = ({ metadata }: KubeObject) => offers.list(metadata?.namespace).map(keyOf);
  const ofPeer = ({ metadata }: KubeObject) =>
    offers
      .list()
      .filter(({ spec }) => spec.providerClusterID === metadata?.name)
      .map(keyOf);
  const takesPlace = (offer: Stored<Advertisement>) => holdsPlace(offer, placeOf);
  const waiting = (): readonly ObjectKey[] =>
    offers
      .list()
      .filter((offer) => !takesPlace(offer))
      .map(keyOf);
  return loop.run({
    name: 'advertisement',
    // Decisions are taken one after the other.
    concurrency: 1,
    sources: [
      primary(offers),
      // One that leaves its place concerns those that wait for one.
      mapped(offers, waiting, (before, after) => takesPlace(before) && !takesPlace(after)),
      mapped(configs, all),
      mapped(virtualNodes, inNamespace),
      mapped(configurations, inNamespace),
      mapped(peers, ofPeer, hasOtherNetworking),
      mapped(secrets, inNamespace),
      mapped(bindings, inNamespace),
      mapped(namespaces, all),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** Until the VkOptionsTemplate exists. */
const defaults = { createNode: true, disableNetworkCheck: false };

/** A ForeignCluster changes with every probe of its API server. */
function hasOtherNetworking(before: ForeignCluster, after: ForeignCluster): boolean {
  const enabled = ({ status }: ForeignCluster) => status?.modules?.networking.enabled;
  return enabled(before) !== enabled(after);
}
