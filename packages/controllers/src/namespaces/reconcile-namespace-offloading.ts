import {
  type ForeignCluster,
  finalizers,
  fixedNames,
  labels,
  NamespaceMap,
  NamespaceOffloading,
  type VirtualNode,
} from '@liqo/api';
import {
  type Client,
  type Clock,
  formatTime,
  isNotFound,
  keyOf,
  mergePatch,
  Namespace,
  type Node,
  type ObjectKey,
  ownMember,
  type SelectableNode,
  type Stored,
} from '@liqo/kube';
import {
  checkClusterSelector,
  isGoneForGood,
  offloadingStatus,
  type Provider,
  providersWithNamespace,
  remoteNamespaceName,
  selectsProvider,
  whyNotInTenantNamespace,
  whyNotOffloadable,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  withFinalizer,
  writeStatus,
} from '@liqo/runtime';
import { forPeers } from '../selections.ts';
import { pickUpLatePods } from './late-pods.ts';

interface NamespaceOffloadingWorld {
  readonly client: Client;
  readonly clusterID: string;
  /** The namespace of the installation. */
  readonly liqoNamespace: string;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly offloadings: Informer<NamespaceOffloading>;
  readonly maps: CachedReader<NamespaceMap>;
  readonly virtualNodes: CachedReader<VirtualNode>;
  readonly nodes: CachedReader<Node>;
  readonly namespaces: Informer<Namespace>;
  /** Those about peers: tenant namespaces are among them. */
  readonly peerNamespaces: CachedReader<Namespace>;
  readonly tenantNamespaces: CachedReader<Namespace>;
  readonly peers: CachedReader<ForeignCluster>;
}

type Offloading = Stored<NamespaceOffloading>;

const youngMs = 5_000;

/** What a NamespaceOffloading asks for. */
interface Wish {
  /** Of the namespace at the providers; undefined where it cannot have one. */
  readonly name?: string;
  readonly fault?: { readonly reason: string; readonly message: string };
  readonly isSelected: (provider: Provider) => boolean;
  /** The namespace must not be offloaded at all. */
  readonly isReserved?: boolean;
}

export class NamespaceOffloadingReconciler {
  readonly #world: NamespaceOffloadingWorld;

  constructor(world: NamespaceOffloadingWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const offloading = this.#world.offloadings.get(key);
    if (!offloading) return done;
    if (key.name !== fixedNames.namespaceOffloading) return this.#complainAboutName(offloading);
    return withFinalizer(
      {
        client: this.#world.client,
        kind: NamespaceOffloading,
        name: finalizers.namespaceOffloading,
        apply: (current) => this.#offload(current, run),
        cleanup: (current) => this.#unoffload(current, run),
      },
      offloading,
      run.signal,
    );
  }

  async #offload(offloading: Offloading, run: ReconcileContext): Promise<Outcome> {
    const namespace = namespaceOf(offloading);
    const { name, fault, isSelected, isReserved = false } = this.#wish(offloading);
    const providers = this.#providers(this.#world.maps.list());
    const strategy = offloading.spec?.podOffloadingStrategy;
    await this.#labelNamespace(namespace, strategy !== 'Local' && !isReserved, run);
    const isYoung = this.#isYoung(offloading);
    if (strategy !== 'Local' && !isReserved && isYoung) {
      await pickUpLatePods(this.#world, offloading, run.signal);
    }
    const failures = await this.#mapEverywhere(providers, namespace, run.signal, (provider) =>
      isSelected(provider) ? name : undefined,
    );
    await this.#report(offloading, {
      remoteName: name,
      ...(fault && { fault }),
      providers,
      isSelected,
      run,
    });
    if (failures.length > 0) throw failures[0];
    return isYoung ? requeueAfter(youngMs, 'looking for pods that were created too early') : done;
  }

  /** API servers ask the webhook a moment after the label is there. One that was never reported on has not been looked at. */
  #isYoung({ metadata, status }: Offloading): boolean {
    const ageMs = this.#world.clock.now() - Date.parse(metadata.creationTimestamp);
    return ageMs < youngMs || status?.observedGeneration === undefined;
  }

  /** A selector that says nothing sensible changes nothing: a slip of the pen must not delete what is out there. */
  #wish(offloading: Offloading): Wish {
    const namespace = namespaceOf(offloading);
    const why = this.#whyNotOffloadable(namespace);
    if (why !== undefined) {
      const message = `The namespace cannot be offloaded, and is not: ${why}. Delete this NamespaceOffloading`;
      this.#complain(offloading, 'Offloading', message, 'ReservedNamespace');
      const fault = { reason: 'ReservedNamespace', message };
      return { fault, isSelected: () => true, isReserved: true };
    }
    const selector = offloading.spec?.clusterSelector;
    const name = remoteNamespaceName(namespace, offloading.spec, this.#world.clusterID);
    const faults = checkClusterSelector(selector);
    if (faults.length > 0) {
      const message = `The cluster selector is not valid, and nothing is changed: ${faults.join('; ')}`;
      this.#complain(offloading, 'SelectingClusters', message);
      const fault = { reason: 'InvalidSelector', message };
      const isSelected = ({ namespaceMap }: Provider) =>
        ownMember(namespaceMap?.spec?.desiredMapping, namespace) !== undefined;
      return { ...(name.type === 'name' && { name: name.name }), fault, isSelected };
    }
    const isSelected = (provider: Provider) => selectsProvider(selector, provider);
    if (name.type === 'name') return { name: name.name, isSelected };
    return { fault: { reason: name.reason, message: name.message }, isSelected };
  }

  #whyNotOffloadable(name: string): string | undefined {
    const { liqoNamespace, peerNamespaces } = this.#world;
    const marks = peerNamespaces.get({ name })?.metadata.labels;
    return whyNotOffloadable({ name, labels: marks }, liqoNamespace);
  }

  /**
   * The providers may need their time; one that is gone for good is not waited for. Nobody would come back for a wish that is
   * not in our cache yet: the server itself says what was asked for.
   */
  async #unoffload(offloading: Offloading, run: ReconcileContext): Promise<Outcome> {
    const { signal } = run;
    const namespace = namespaceOf(offloading);
    const { items } = await this.#world.client.list(NamespaceMap, { ...forPeers, signal });
    const providers = this.#providers(items);
    await this.#labelNamespace(namespace, false, run);
    const failures = await this.#mapEverywhere(providers, namespace, signal, () => undefined);
    const left = providersWithNamespace(namespace, providers);
    const awaited = left.filter((clusterID) => !this.#isGone(clusterID));
    // Nobody reads what is said at the very end, and the finalizer would have to be taken off twice.
    if (failures.length > 0 || awaited.length > 0) {
      await this.#report(offloading, {
        remoteName: offloading.status?.remoteNamespaceName,
        providers,
        isSelected: () => false,
        run,
      });
    }
    if (failures.length > 0) throw failures[0];
    if (awaited.length > 0) {
      return requeueAfter(30_000, `waiting for ${awaited.join(', ')} to delete the namespace`);
    }
    if (left.length > 0) {
      const note = `Not waiting for ${left.join(', ')}: the namespace and what is in it may still exist there`;
      this.#complain(offloading, 'Offloading', note, 'PeerGone');
    }
    return done;
  }

  #isGone(clusterID: string): boolean {
    return isGoneForGood(this.#world.peers.get({ name: clusterID }));
  }

  /** A provider whose map cannot be changed does not keep the others; gives back what went wrong. */
  async #mapEverywhere(
    providers: readonly Provider[],
    namespace: string,
    signal: AbortSignal,
    nameAt: (provider: Provider) => string | undefined,
  ): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const provider of providers) {
      await this.#mapNamespace(provider, namespace, nameAt(provider), signal).catch((error) =>
        failures.push(error),
      );
    }
    return failures;
  }

  /** What is not in the tenant namespace of a provider says nothing about that provider. */
  #providers(allMaps: readonly NamespaceMap[]): readonly Provider[] {
    const maps = allMaps.filter((map) => this.#isInPlace(map, providerOf(map)));
    const virtualNodes = this.#world.virtualNodes
      .list()
      .filter((virtualNode) => this.#isInPlace(virtualNode, virtualNode.spec?.clusterID));
    const clusterIDs = new Set([
      ...maps.map(providerOf),
      ...virtualNodes.map(({ spec }) => spec?.clusterID),
    ]);
    return [...clusterIDs]
      .filter((clusterID) => clusterID !== undefined)
      .sort()
      .map((clusterID) => ({
        clusterID,
        namespaceMap: maps.find((map) => providerOf(map) === clusterID),
        nodes: this.#nodesOf(clusterID, virtualNodes),
      }));
  }

  #isInPlace({ metadata }: NamespaceMap | VirtualNode, peer: string | undefined): boolean {
    if (peer === undefined) return false;
    const place = { namespace: metadata?.namespace ?? '', peer };
    return whyNotInTenantNamespace(place, this.#world.tenantNamespaces.list()) === undefined;
  }

  /** A virtual node that has no Node counts with the labels that it would have. */
  #nodesOf(
    clusterID: string,
    virtualNodes: readonly Stored<VirtualNode>[],
  ): readonly SelectableNode[] {
    const { nodes } = this.#world;
    return virtualNodes
      .filter(({ spec }) => spec?.clusterID === clusterID)
      .map(({ metadata, spec }) => {
        const node = nodes.get({ name: metadata.name });
        const wanted = { ...spec?.labels, [labels.remoteClusterID]: clusterID };
        return node ?? { metadata: { name: metadata.name, labels: wanted } };
      });
  }

  async #mapNamespace(
    { namespaceMap }: Provider,
    namespace: string,
    remoteName: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (!namespaceMap || namespaceMap.metadata?.deletionTimestamp !== undefined) return;
    if (ownMember(namespaceMap.spec?.desiredMapping, namespace) === remoteName) return;
    const change = { spec: { desiredMapping: { [namespace]: remoteName ?? null } } };
    const key = keyOf(namespaceMap as Stored<NamespaceMap>);
    await this.#world.client.patch(NamespaceMap, key, mergePatch(change), signal);
  }

  async #labelNamespace(name: string, wanted: boolean, run: ReconcileContext): Promise<void> {
    const { client, namespaces } = this.#world;
    const has = namespaces.get({ name })?.metadata.labels?.[labels.schedulingEnabled] === 'true';
    if (has === wanted) return;
    const change = { metadata: { labels: { [labels.schedulingEnabled]: wanted ? 'true' : null } } };
    try {
      const labelled = await client.patch(Namespace, { name }, mergePatch(change), run.signal);
      if (wanted) run.wrote(namespaces, labelled);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #report(
    offloading: Offloading,
    facts: Omit<Parameters<typeof offloadingStatus>[0], 'namespace' | 'offloading' | 'now'> & {
      readonly run: ReconcileContext;
    },
  ): Promise<void> {
    const { client, clock, offloadings } = this.#world;
    const { run, ...known } = facts;
    const status = offloadingStatus({
      ...known,
      namespace: namespaceOf(offloading),
      offloading,
      now: formatTime(clock.now()),
    });
    const written = await writeStatus(client, NamespaceOffloading, offloading, status, run.signal);
    if (written !== offloading) run.wrote(offloadings, written);
  }

  #complainAboutName(offloading: Offloading): Outcome {
    const note = `A NamespaceOffloading must be called "${fixedNames.namespaceOffloading}": this one has no effect`;
    this.#complain(offloading, 'Offloading', note);
    return done;
  }

  #complain(regarding: Offloading, action: string, note: string, reason = 'Invalid'): void {
    this.#world.events.record({ regarding, type: 'Warning', reason, action, note });
  }
}

function namespaceOf(offloading: Offloading): string {
  return offloading.metadata.namespace ?? '';
}

function providerOf(map: NamespaceMap): string | undefined {
  return map.metadata?.labels?.[labels.replicationDestination];
}
