import { ForeignCluster, finalizers } from '@liqo/api';
import {
  type Client,
  type Clock,
  isNotFound,
  type KubeObject,
  Namespace,
  type ObjectKey,
  type Selection,
  type Stored,
} from '@liqo/kube';
import {
  type ForeignClusterFacts,
  forgeForeignCluster,
  hasControlPlaneCredentials,
  peerOfTenantNamespace,
  planForeignCluster,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { tenantNamespaces } from '../selections.ts';
import type { TenantSecrets } from '../tenant-access/tenant-secrets.ts';
import { type ApiServerProbes, connectsWithinMs } from './api-server-probes.ts';
import { type Evidence, type EvidenceFacts, type FactName, peerEvidence } from './peer-evidence.ts';
import type { PeerLinks } from './peer-links.ts';

export interface ForeignClusterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly foreignClusters: Informer<ForeignCluster>;
  /** What is known of each kind. */
  readonly caches: ReadonlyMap<FactName, CachedReader<KubeObject>>;
  /** Whether the Secrets of a tenant namespace are known: the right to read them comes after the namespace. */
  readonly secrets: Pick<TenantSecrets, 'isComplete'>;
  readonly links: Pick<PeerLinks, 'of'>;
  readonly probes: Pick<ApiServerProbes, 'forget' | 'stateOf'>;
}

/** A timer cannot be set for longer than this: a certificate may be valid for years. */
const longestWaitMs = 24 * 60 * 60_000;

/** The end of the first list in a namespace emits no event when it is empty. */
const unreadMs = 1_000;

/** Keeps the ForeignCluster of one peer equal to what the objects of this cluster say of the peer. */
export class ForeignClusterReconciler {
  readonly #options: ForeignClusterOptions;

  constructor(options: ForeignClusterOptions) {
    this.#options = options;
  }

  async reconcile({ name }: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { client, clock, foreignClusters, probes } = this.#options;
    const foreignCluster = foreignClusters.get({ name });
    if (foreignCluster?.metadata.deletionTimestamp !== undefined) {
      // Only Liqo itself sets it: after a migration, no other controller takes it off.
      const finalizer = finalizers.foreignCluster;
      await removeFinalizer(client, ForeignCluster, foreignCluster, finalizer, run.signal);
      return done;
    }
    const evidence = this.#cached(name);
    const unread = this.#unreadNamespace(evidence);
    if (unread !== undefined) {
      return requeueAfter(unreadMs, `waiting for the Secrets of the namespace "${unread}"`);
    }
    const facts = this.#factsOf(name, foreignCluster, evidence);
    const plan = planForeignCluster(facts, clock.now());
    if (plan.type === 'keep') {
      await this.#write(name, foreignCluster, plan.status, run);
      return this.#lookAgain(facts);
    }
    if (plan.type === 'delete' && foreignCluster) await this.#delete(foreignCluster, run.signal);
    probes.forget(name);
    return done;
  }

  #unreadNamespace({ tenantNamespaces }: EvidenceFacts): string | undefined {
    const names = tenantNamespaces.map(({ metadata }) => metadata?.name ?? '');
    return names.find((name) => !this.#options.secrets.isComplete(name));
  }

  async #write(
    name: string,
    known: Stored<ForeignCluster> | undefined,
    status: ForeignCluster['status'],
    { signal, wrote }: ReconcileContext,
  ): Promise<void> {
    const { client, foreignClusters } = this.#options;
    const foreignCluster =
      known ?? (await client.create(ForeignCluster, forgeForeignCluster(name), signal));
    const written = await writeStatus(client, ForeignCluster, foreignCluster, status, signal);
    if (written !== known) wrote(foreignClusters, written);
  }

  /** A cache may be behind: the API server has the last word on whether anything about the peer exists. */
  async #delete(foreignCluster: Stored<ForeignCluster>, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    const { name, uid, resourceVersion } = foreignCluster.metadata;
    const tenants = await this.#liveTenants(name, signal);
    if (tenants.some((namespace) => !this.#options.secrets.isComplete(namespace))) return;
    const facts = this.#factsOf(name, foreignCluster, await this.#live(name, tenants, signal));
    if (planForeignCluster(facts, clock.now()).type !== 'delete') return;
    // An annotation that was added meanwhile is a reason to look again.
    const preconditions = { uid, resourceVersion };
    await client.delete(ForeignCluster, { name }, { preconditions, signal });
  }

  /** A certificate expires without an event. So does the time for a connection to be made. */
  #lookAgain(facts: ForeignClusterFacts): Outcome {
    const { clock, links } = this.#options;
    const isConnecting =
      facts.apiServer === 'unknown' &&
      hasControlPlaneCredentials(facts) &&
      !links.of(facts.clusterID);
    if (isConnecting) return requeueAfter(connectsWithinMs, 'waiting for the connection');
    const leftMs = (facts.endpoint?.expiresMs ?? 0) - clock.now();
    if (leftMs <= 0) return done;
    return requeueAfter(Math.min(leftMs, longestWaitMs), 'waiting for the certificate to expire');
  }

  #factsOf(
    clusterID: string,
    foreignCluster: Stored<ForeignCluster> | undefined,
    evidence: EvidenceFacts,
  ): ForeignClusterFacts {
    const { links, probes } = this.#options;
    return {
      ...evidence,
      clusterID,
      foreignCluster,
      endpoint: links.of(clusterID)?.endpoint,
      apiServer: hasControlPlaneCredentials(evidence) ? probes.stateOf(clusterID) : 'unknown',
    };
  }

  #cached(clusterID: string): EvidenceFacts {
    const entries = peerEvidence.map(([fact, evidence]) => {
      const objects = this.#options.caches.get(fact)?.list() ?? [];
      return [fact, this.#about(clusterID, evidence, objects)];
    });
    return Object.fromEntries(entries) as EvidenceFacts;
  }

  async #liveTenants(clusterID: string, signal: AbortSignal): Promise<readonly string[]> {
    const { items } = await this.#options.client.list(Namespace, { ...tenantNamespaces, signal });
    const ofPeer = items.filter((namespace) => peerOfTenantNamespace(namespace) === clusterID);
    return ofPeer.map(({ metadata }) => metadata.name);
  }

  async #live(
    clusterID: string,
    tenants: readonly string[],
    signal: AbortSignal,
  ): Promise<EvidenceFacts> {
    const entries: (readonly [FactName, readonly KubeObject[]])[] = [];
    for (const [fact, evidence] of peerEvidence) {
      const inTenants = tenants.map((namespace) => ({ namespace }));
      const places = evidence.isOfTenantNamespaces ? inTenants : [{}];
      const objects = await this.#listIn(places, evidence, signal);
      entries.push([fact, this.#about(clusterID, evidence, objects)]);
    }
    return Object.fromEntries(entries) as unknown as EvidenceFacts;
  }

  async #listIn(
    places: readonly Selection[],
    { kind, selection }: Evidence,
    signal: AbortSignal,
  ): Promise<readonly KubeObject[]> {
    const lists = places.map((place) =>
      this.#options.client.list(kind, { ...selection, ...place, signal }),
    );
    try {
      return (await Promise.all(lists)).flatMap(({ items }) => items);
    } catch (error) {
      // There are no objects of a kind whose definition is gone.
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  #about(
    clusterID: string,
    { peerOf }: Evidence,
    objects: readonly KubeObject[],
  ): readonly KubeObject[] {
    const namespaces = this.#options.caches.get('tenantNamespaces');
    const find = (name: string) => namespaces?.get({ name });
    return objects.filter((object) => peerOf(object, find) === clusterID);
  }
}
