import {
  Advertisement,
  type Configuration,
  type ForeignCluster,
  finalizers,
  VirtualNode,
  type VkOptionsTemplate,
} from '@liqo/api';
import { type Client, type Clock, formatTime, type Stored } from '@liqo/kube';
import {
  findOfferProblem,
  followOffer,
  forgeOfferVirtualNode,
  isOfOffer,
  judgeNetwork,
  judgeVirtualNode,
  lastUsableOffer,
  type OfferPlace,
  type OfferProblem,
  progressedOfferStatus,
  type Readiness,
  virtualNodeNameOf,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  ensureFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import { type Ensured, ensureOfSlice } from '../slices/ensure-of-slice.ts';
import type { TenantSecrets } from '../tenant-access/tenant-secrets.ts';
import { findKubeconfigObstacle } from '../virtual-nodes/find-obstacle.ts';
import { lookAgainMs } from './stand-down-offer.ts';

export interface AcceptedOffersContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly connectPeer: ControllerContext['connectPeer'];
  readonly offers: Informer<Advertisement>;
  readonly virtualNodes: Informer<VirtualNode>;
  readonly configurations: CachedReader<Configuration>;
  readonly peers: CachedReader<ForeignCluster>;
  readonly secrets: Pick<TenantSecrets, 'isWatched'>;
  readonly placeOf: (offer: Stored<Advertisement>) => OfferPlace;
  /** Of virtual nodes that do not say otherwise. */
  readonly readDefaults: () => Pick<
    VkOptionsTemplate['spec'],
    'createNode' | 'disableNetworkCheck'
  >;
}

type Offer = Stored<Advertisement>;

/** Gives offers that are accepted their virtual node, once the network and the credentials are there. */
export class AcceptedOffers {
  readonly #context: AcceptedOffersContext;

  constructor(context: AcceptedOffersContext) {
    this.#context = context;
  }

  async bringUp(found: Offer, run: ReconcileContext): Promise<Outcome> {
    const { client, clock, offers, placeOf } = this.#context;
    const { signal } = run;
    // Before anything is made: what is made goes before the offer does.
    const offer = await ensureFinalizer(
      client,
      Advertisement,
      found,
      finalizers.advertisement,
      signal,
    );
    if (!offer) return done;
    const problem = findOfferProblem(offer, placeOf(offer));
    const network = this.#readNetwork(offer);
    const credentials = await this.#readCredentials(offer, signal);
    const virtualNode = await this.#provide(offer, { problem, network, credentials }, signal);
    const virtualNodeName = this.#existing(offer)?.metadata.name;
    const { spec } = offer;
    const progress = { problem, spec, network, credentials, virtualNode, virtualNodeName };
    const status = progressedOfferStatus(
      offer.status ?? { phase: 'Accepted' },
      progress,
      formatTime(clock.now()),
    );
    const written = await writeStatus(client, Advertisement, offer, status, signal);
    if (written !== offer) run.wrote(offers, written);
    const isWaiting = !credentials.isReady || waitedFor.includes(virtualNode.reason);
    return isWaiting ? requeueAfter(12 * lookAgainMs, virtualNode.message) : done;
  }

  #readNetwork({ metadata, spec }: Offer): Readiness {
    const { configurations, peers, readDefaults } = this.#context;
    return judgeNetwork({
      configurations: configurations.list(metadata.namespace),
      foreignCluster: peers.get({ name: spec.providerClusterID }),
      isCheckDisabled: readDefaults().disableNetworkCheck,
    });
  }

  async #readCredentials(offer: Offer, signal: AbortSignal): Promise<Readiness> {
    const { kubeConfigRef, providerClusterID: clusterID } = offer.spec;
    const { namespace } = offer.metadata;
    const spec = { clusterID, kubeconfigSecretRef: { name: kubeConfigRef.name } };
    const obstacle = await findKubeconfigObstacle(
      this.#context,
      { metadata: { namespace }, spec },
      signal,
    );
    if (obstacle) return { isReady: false, reason: obstacle.reason, message: obstacle.message };
    const message = `The Secret "${kubeConfigRef.name}" leads to the provider`;
    return { isReady: true, reason: 'SecretFound', message };
  }

  /** A refresh that cannot be used leaves the virtual node as it is. */
  async #provide(
    offer: Offer,
    facts: {
      readonly problem: OfferProblem | undefined;
      readonly network: Readiness;
      readonly credentials: Readiness;
    },
    signal: AbortSignal,
  ): Promise<Readiness> {
    const existing = this.#existing(offer);
    const { problem, network, credentials } = facts;
    const missing = [network, credentials].find(({ isReady }) => !isReady);
    if (!existing && missing) return missing;
    // One that is gone is made again all the same, as it was.
    const usable = problem ? lastUsableOffer(offer) : offer;
    if (usable && !(problem && existing)) {
      const made = await this.#ensure(usable, signal);
      if (made !== 'made') return this.#explain(offer, made);
    }
    const stored = this.#existing(offer);
    if (stored) return judgeVirtualNode(stored);
    if (problem) return { isReady: false, ...problem };
    return { isReady: false, reason: 'Creating', message: 'The virtual node is being created' };
  }

  #ensure(offer: Offer, signal: AbortSignal): Promise<Ensured> {
    const { client, readDefaults, virtualNodes: objects } = this.#context;
    const wanted = forgeOfferVirtualNode(offer, readDefaults().createNode);
    const access = { client, kind: VirtualNode, objects, follow: followOffer, signal };
    return ensureOfSlice(wanted, access);
  }

  #explain(offer: Offer, made: Exclude<Ensured, 'made'>): Readiness {
    const name = virtualNodeNameOf(offer);
    const [reason, message] =
      made === 'going'
        ? ['PreviousInstanceTerminating', `Waiting for an earlier VirtualNode "${name}" to go`]
        : ['NameConflict', `There is a VirtualNode "${name}" that is not of this offer: delete it`];
    return { isReady: false, reason, message };
  }

  #existing(offer: Offer): Stored<VirtualNode> | undefined {
    const { virtualNodes } = this.#context;
    return virtualNodes
      .list(offer.metadata.namespace)
      .find((virtualNode) => isOfOffer(virtualNode, offer));
  }
}

/** What emits no event to this controller when it changes. */
const waitedFor: readonly string[] = ['NameConflict', 'PreviousInstanceTerminating'];
