import {
  apiVersionOf,
  CustomResourceDefinition,
  type DiscoveredResource,
  deepEqual,
  isNotFound,
  type Json,
  type Kind,
  type KubeObject,
  keyOf,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import {
  awaitsDependents,
  awaitsOrphaning,
  blockingDependents,
  type GarbageFinalizer,
  type GraphNode,
  isDeleting,
  OwnershipGraph,
  ownersOf,
} from './ownership-graph.ts';
import { type OwnerState, planDependent } from './plan-dependent.ts';
import { watchEverything } from './watch-everything.ts';

/** Deletes what has lost its owners, and holds owners back as long as they asked for it. */
export function startGarbageCollector(context: ControllerContext): void {
  const collector = new GarbageCollector(context);
  const definitions = context.informer(CustomResourceDefinition);
  watchEverything(context, definitions, (kind, current, previous) =>
    collector.heed(kind, current, previous),
  );
}

class GarbageCollector {
  readonly #context: ControllerContext;
  readonly #graph = new OwnershipGraph();
  readonly #loop: ControlLoop;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#events = context.events('garbage-collector-controller');
    this.#loop = context.loop('garbage-collector', async (uid) => {
      const node = this.#graph.node(uid);
      if (node) await this.#reconcile(node);
      return undefined;
    });
  }

  heed(
    kind: DiscoveredResource,
    current: Stored<KubeObject> | undefined,
    previous: Stored<KubeObject> | undefined,
  ): void {
    if (current) this.#heedPresent({ kind, object: current }, previous);
    else if (previous) this.#heedGone(previous);
  }

  #heedPresent(node: GraphNode, previous: Stored<KubeObject> | undefined): void {
    const { object } = node;
    const { uid } = object.metadata;
    this.#graph.put(node);
    if (awaitsDependents(object) || awaitsOrphaning(object)) this.#loop.add(uid);
    if (awaitsDependents(object) && !(previous && awaitsDependents(previous))) {
      for (const dependent of this.#graph.dependentsOf(uid)) this.#enqueue(dependent);
    }
    if (this.#hasDoubtfulOwner(object)) this.#loop.add(uid);
    if (previous && deepEqual(ownersOf(previous), ownersOf(object))) return;
    this.#tellOutOfReach(node, previous);
    if (previous) this.#enqueueOwners(previous);
  }

  /** Owners in another namespace are a mistake that deletes the dependent: people shall find out why. */
  #tellOutOfReach(node: GraphNode, previous: Stored<KubeObject> | undefined): void {
    const { uid } = node.object.metadata;
    for (const owner of ownersOf(node.object)) {
      const known = this.#graph.node(owner.uid);
      if (known && !isInReach(known, node.object)) this.#tellInvalidOwner(node.object, owner);
    }
    for (const { object } of previous ? [] : this.#graph.dependentsOf(uid)) {
      const owner = ownersOf(object).find((reference) => reference.uid === uid);
      if (owner && !isInReach(node, object)) this.#tellInvalidOwner(object, owner);
    }
  }

  #tellInvalidOwner(
    { apiVersion, kind, metadata }: Stored<KubeObject>,
    owner: OwnerReference,
  ): void {
    const { namespace = '', name, uid } = metadata;
    const about = { apiVersion, kind, name, uid, ...(namespace && { namespace }) };
    const text = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const message = `ownerRef ${text} does not exist in namespace "${namespace}"`;
    this.#events.warning(about, 'OwnerRefInvalidNamespace', message);
  }

  #heedGone(object: Stored<KubeObject>): void {
    const { uid } = object.metadata;
    this.#graph.remove(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#enqueue(dependent);
    this.#enqueueOwners(object);
  }

  #enqueue({ object }: GraphNode): void {
    this.#loop.add(object.metadata.uid);
  }

  /** Owners in waiting may have waited for this very dependent. */
  #enqueueOwners(object: KubeObject): void {
    for (const { uid } of ownersOf(object)) if (this.#graph.node(uid)) this.#loop.add(uid);
  }

  #hasDoubtfulOwner(object: Stored<KubeObject>): boolean {
    if (isDeleting(object)) return false;
    return ownersOf(object).some((reference) => {
      const owner = this.#graph.node(reference.uid);
      return !owner || !isInReach(owner, object) || awaitsDependents(owner.object);
    });
  }

  async #reconcile(node: GraphNode): Promise<void> {
    const { object } = node;
    if (awaitsOrphaning(object)) return this.#orphanDependents(node);
    if (awaitsDependents(object)) return this.#awaitDependents(node);
    if (isDeleting(object) || ownersOf(object).length === 0) return;
    const latest = await this.#context.reader.get(node.kind, keyOf(object));
    if (latest?.metadata.uid !== object.metadata.uid || isDeleting(latest)) return;
    await this.#judge({ kind: node.kind, object: latest });
  }

  async #judge(node: GraphNode): Promise<void> {
    const { kind, object } = node;
    const owners: (readonly [OwnerReference, OwnerState])[] = [];
    for (const owner of ownersOf(object)) owners.push([owner, await this.#stateOf(owner, node)]);
    const dependents = this.#graph.dependentsOf(object.metadata.uid);
    const anyAwaiting = dependents.some((dependent) => awaitsDependents(dependent.object));
    const plan = planDependent(object, owners, { any: dependents.length > 0, anyAwaiting });
    if (plan.action === 'keep') return;
    if (plan.action === 'drop-references') return this.#dropReferences(node, plan.uids);
    if (plan.unblock) await this.#unblockOwners(node);
    const { uid, resourceVersion } = object.metadata;
    const preconditions = plan.unblock ? { uid } : { uid, resourceVersion };
    const { propagationPolicy } = plan;
    const informer = this.#context.informer(kind);
    await informer.delete(object, { preconditions, propagationPolicy });
  }

  async #stateOf(reference: OwnerReference, { kind, object }: GraphNode): Promise<OwnerState> {
    const known = this.#graph.node(reference.uid);
    if (known && isInReach(known, object)) {
      return awaitsDependents(known.object) ? 'waiting' : 'solid';
    }
    const ownerKind = await this.#findKind(reference);
    // A cluster-scoped object cannot have an owner in a namespace. Nobody can tell which one is meant: it stays.
    if (ownerKind.namespaced && !kind.namespaced) return 'solid';
    const namespace = ownerKind.namespaced ? object.metadata.namespace : undefined;
    const live = await this.#context.reader.get(ownerKind, { namespace, name: reference.name });
    if (live?.metadata.uid !== reference.uid) return 'dangling';
    return awaitsDependents(live) ? 'waiting' : 'solid';
  }

  async #findKind({ apiVersion, kind }: OwnerReference): Promise<Kind> {
    const discovery = await this.#context.client.discover();
    const found = discovery.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
    if (found) return found;
    throw new Error(`Cannot find owners of kind "${kind}": "${apiVersion}" has no such kind`);
  }

  async #awaitDependents(node: GraphNode): Promise<void> {
    const blocking = blockingDependents(this.#graph, node.object.metadata.uid);
    if (blocking.length === 0) return this.#removeFinalizer(node, 'foregroundDeletion');
    for (const dependent of blocking) {
      if (!awaitsDependents(dependent.object)) this.#enqueue(dependent);
    }
  }

  async #orphanDependents(node: GraphNode): Promise<void> {
    const { uid } = node.object.metadata;
    const dependents = this.#graph.dependentsOf(uid);
    await Promise.all(dependents.map((dependent) => this.#dropReferences(dependent, [uid])));
    await this.#removeFinalizer(node, 'orphan');
  }

  async #dropReferences(node: GraphNode, uids: readonly string[]): Promise<void> {
    const left = ownersOf(node.object).filter(({ uid }) => !uids.includes(uid));
    await this.#patch(node, { ownerReferences: left });
  }

  async #unblockOwners(node: GraphNode): Promise<void> {
    const ownerReferences = ownersOf(node.object).map((owner) => ({
      ...owner,
      blockOwnerDeletion: false,
    }));
    await this.#patch(node, { ownerReferences });
  }

  async #removeFinalizer(node: GraphNode, finalizer: GarbageFinalizer): Promise<void> {
    const latest = await this.#context.reader.get(node.kind, keyOf(node.object));
    if (latest?.metadata.uid !== node.object.metadata.uid) return;
    const finalizers = latest.metadata.finalizers?.filter((one) => one !== finalizer) ?? [];
    if (finalizers.length === latest.metadata.finalizers?.length) return;
    await this.#patch({ kind: node.kind, object: latest }, { finalizers });
  }

  /** Only this version of the object: whatever changed since may matter. */
  async #patch({ kind, object }: GraphNode, metadata: object): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    const change = { metadata: { ...metadata, uid, resourceVersion } } as unknown as Json;
    try {
      await this.#context.informer(kind).patch(keyOf(object), mergePatch(change));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** An owner is cluster-scoped, or in the namespace of its dependents. */
function isInReach(owner: GraphNode, dependent: Stored<KubeObject>): boolean {
  const { namespace } = owner.object.metadata;
  return namespace === undefined || namespace === dependent.metadata.namespace;
}
