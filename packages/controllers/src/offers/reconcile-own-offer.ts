import {
  Advertisement,
  advertisementName,
  type ClusterConfig,
  finalizers,
  fixedNames,
  labels,
  type Tenant,
} from '@liqo/api';
import {
  type Client,
  type Clock,
  diffMergePatch,
  type Json,
  mergePatch,
  type Namespace,
  type Node,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import {
  isReleasedByConsumer,
  isUsable,
  judgeClusterConfig,
  offeredInformation,
  offeredLabels,
  planOwnOffer,
  shareOfFree,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  hasFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
} from '@liqo/runtime';
import { hasProvedKey } from '../authentication/handshake.ts';
import { removeIfThere } from '../remove-if-there.ts';
import type { OfferCredentials } from './offer-credentials.ts';
import type { PodsReader } from './pods-reader.ts';

export interface OwnOfferContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly clusterID: string;
  readonly events: EventRecorder;
  /** Of this cluster, for its consumers. */
  readonly offers: Informer<Advertisement>;
  readonly tenants: CachedReader<Tenant>;
  readonly configs: CachedReader<ClusterConfig>;
  readonly nodes: CachedReader<Node>;
  /** Everything that is about a peer. */
  readonly namespaces: CachedReader<Namespace>;
  readonly pods: Pick<PodsReader, 'read'>;
  readonly credentials: Pick<OfferCredentials, 'provide'>;
}

type Offer = Stored<Advertisement>;
type OutgoingConfig = ClusterConfig['spec']['advertisementConfig']['outgoingConfig'];

/** How often what is free is computed, and how long the word of a consumer is waited for. */
const lookAgainMs = 60_000;

/** Offers the consumer of one tenant namespace a share of what is free, refreshes the offer, and withdraws it. */
export class OwnOfferReconciler {
  readonly #context: OwnOfferContext;

  constructor(context: OwnOfferContext) {
    this.#context = context;
  }

  /** The key is that of the tenant namespace. */
  async reconcile({ name: namespace }: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { clusterID, configs, offers } = this.#context;
    const tenant = this.#tenantOf(namespace);
    const offer = offers.get({ namespace, name: advertisementName(clusterID) });
    if (offer?.metadata.deletionTimestamp !== undefined) {
      return this.#release(offer, tenant, run.signal);
    }
    const { inForce } = judgeClusterConfig(configs.get({ name: fixedNames.clusterConfig }));
    const config = inForce?.outgoingConfig;
    const isOver = !tenant || config?.enableBroadcaster === false;
    if (isOver) return offer ? this.#withdraw(offer, run.signal) : done;
    // An offer that is not refreshed ends by itself.
    if (!config || !(await hasProvedKey(tenant))) return done;
    const isCordoned = tenant.spec.tenantCondition !== 'Active';
    if (!offer && isCordoned) return done;
    return this.#offer(offer, { tenant, config, namespace }, run);
  }

  /** The oldest one, of the consumer that the namespace is about; none that is drained or being deleted. */
  #tenantOf(namespace: string): Stored<Tenant> | undefined {
    const { namespaces, tenants } = this.#context;
    const consumer = namespaces.get({ name: namespace })?.metadata.labels?.[labels.remoteClusterID];
    const [oldest] = tenants
      .list(namespace)
      .filter(({ spec }) => consumer !== undefined && spec.clusterID === consumer)
      .toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
    const isGone =
      oldest?.metadata.deletionTimestamp !== undefined ||
      oldest?.spec.tenantCondition === 'Drained';
    return isGone ? undefined : oldest;
  }

  async #offer(
    existing: Offer | undefined,
    {
      tenant,
      config,
      namespace,
    }: {
      readonly tenant: Stored<Tenant>;
      readonly config: OutgoingConfig;
      readonly namespace: string;
    },
    run: ReconcileContext,
  ): Promise<Outcome> {
    const { client, clock, clusterID, credentials, nodes, offers } = this.#context;
    const consumer = tenant.spec.clusterID ?? '';
    const pods = await this.#context.pods.read(run.signal);
    const all = nodes.list();
    const usable = all.filter(isUsable);
    const hard = shareOfFree(
      { nodes: all, pods },
      {
        percentage: config.resourceSharingPercentage,
        isOfConsumer: ({ metadata }) => this.#consumerOf(metadata.namespace) === consumer,
      },
    );
    if (!existing && Object.keys(hard).length === 0) {
      return requeueAfter(lookAgainMs, 'waiting for a Node that is ready');
    }
    const step = planOwnOffer(existing, {
      ownClusterID: clusterID,
      consumer,
      namespace,
      config,
      hard: Object.keys(hard).length > 0 ? hard : { cpu: '0' },
      nodeLabels: offeredLabels(usable, config.labelPolicies),
      information: offeredInformation(consumer, { usable, all }),
      nowMs: clock.now(),
    });
    let offer = existing;
    if (step.type === 'create') offer = await client.create(Advertisement, step.offer, run.signal);
    if (step.type === 'refresh' && existing) {
      offer = await this.#refresh(existing, step.spec, run.signal);
    }
    if (!offer) return done;
    if (offer !== existing) run.wrote(offers, offer);
    const checkInMs = await credentials.provide(offer, tenant, run);
    const refreshInMs = step.type === 'leave' ? step.refreshInMs : lookAgainMs;
    const waitMs = Math.max(0, Math.min(checkInMs, refreshInMs, lookAgainMs));
    return requeueAfter(waitMs, 'waiting for the next look at what is free');
  }

  #refresh(existing: Offer, spec: Advertisement['spec'], signal: AbortSignal): Promise<Offer> {
    const { resourceVersion, name, namespace } = existing.metadata;
    const change = diffMergePatch(existing.spec, spec);
    const patch = mergePatch({ metadata: { resourceVersion }, spec: change } as unknown as Json);
    return this.#context.client.patch(Advertisement, { namespace, name }, patch, { signal });
  }

  async #withdraw(offer: Offer, signal: AbortSignal): Promise<Outcome> {
    await removeIfThere(this.#context.client, Advertisement, offer, { signal });
    return done;
  }

  /** A consumer that is drained, or not known any more, has nothing to say about it. */
  async #release(
    offer: Offer,
    tenant: Stored<Tenant> | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, clock } = this.#context;
    if (!hasFinalizer(offer, finalizers.ownOffer)) return done;
    if (tenant && !isReleasedByConsumer(offer, clock.now())) {
      return requeueAfter(lookAgainMs, 'waiting for the consumer to leave the offer');
    }
    await removeFinalizer(client, Advertisement, offer, finalizers.ownOffer, signal);
    return done;
  }

  /** The consumer that a namespace was made for. */
  #consumerOf(namespace = ''): string | undefined {
    const found = this.#context.namespaces.get({ name: namespace });
    return found?.metadata.labels?.[labels.remoteClusterID];
  }
}

function ageOf({ metadata }: Stored<Tenant>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
