import {
  deepEqual,
  type LabelQuery,
  labelQueryFromSelector,
  matchesLabels,
  Pod,
  parseKey,
  ReplicaSet,
  type Stored,
} from '@liqo/kube';
import { claim } from '../claim.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { Informer } from '../informer.ts';
import { controllerOf, isControlledBy } from '../owner-reference.ts';
import { PodControl } from '../pod-control.ts';
import { isPodActive, isPodFinished, isPodTerminating, nextAvailableInMs } from '../pod-state.ts';
import { forgePod } from '../pod-template.ts';
import { watchDependents } from '../watch-dependents.ts';
import { rankForDeletion } from './rank-pods.ts';
import { planReplicaSetStatus } from './replica-set-status.ts';

export function startReplicaSetController(context: ControllerContext): void {
  const replicaSets = context.informer(ReplicaSet);
  const pods = context.informer(Pod);
  const controller = new ReplicaSetController(context, replicaSets, pods);
  const loop = context.loop('replicaset', (key) => controller.reconcile(key));
  watchDependents({
    owners: replicaSets,
    dependents: pods,
    selectorOf: ({ spec }) => spec?.selector,
    enqueue: (key) => loop.add(key),
  });
}

/** At most so many pods are made or removed before the rest is looked at anew. */
const burst = 500;

class ReplicaSetController {
  readonly #context: ControllerContext;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;
  readonly #control: PodControl;

  constructor(context: ControllerContext, replicaSets: Informer<ReplicaSet>, pods: Informer<Pod>) {
    this.#context = context;
    this.#replicaSets = replicaSets;
    this.#pods = pods;
    this.#control = new PodControl(pods, context.events('replicaset-controller'));
  }

  async reconcile(key: string): Promise<number | undefined> {
    const replicaSet = this.#replicaSets.get(parseKey(key));
    if (!replicaSet) return undefined;
    // Read first: what becomes available between this and the status is looked at again.
    const nowMs = this.#context.clock.now();
    const query = labelQueryFromSelector(replicaSet.spec?.selector);
    const owned = await this.#claimPods(replicaSet, query);
    const failure = replicaSet.metadata.deletionTimestamp
      ? undefined
      : await this.#manage(replicaSet, owned);
    await this.#writeStatus(replicaSet, query, failure);
    if (failure) throw failure;
    const { minReadySeconds = 0 } = replicaSet.spec ?? {};
    return nextAvailableInMs(owned, minReadySeconds, nowMs);
  }

  #claimPods(owner: Stored<ReplicaSet>, query: LabelQuery): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const candidates = this.#pods.inNamespace(namespace).filter(isPodActive);
    const mayAdopt = async () => {
      const fresh = await this.#context.reader.get(ReplicaSet, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    return claim({ owner, query, informer: this.#pods, candidates, mayAdopt });
  }

  /** Gives back what went wrong instead of throwing it: the status tells it first. */
  async #manage(
    replicaSet: Stored<ReplicaSet>,
    active: readonly Stored<Pod>[],
  ): Promise<Error | undefined> {
    const wanted = replicaSet.spec?.replicas ?? 1;
    try {
      if (active.length < wanted) await this.#createPods(replicaSet, wanted - active.length);
      if (active.length > wanted)
        await this.#deletePods(replicaSet, active, active.length - wanted);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #createPods(replicaSet: Stored<ReplicaSet>, count: number): Promise<void> {
    const generateName = `${replicaSet.metadata.name}-`;
    const template = replicaSet.spec?.template ?? {};
    const forge = () => forgePod(template, replicaSet, { generateName });
    await this.#control.createMany(Math.min(count, burst), forge, replicaSet);
  }

  async #deletePods(
    replicaSet: Stored<ReplicaSet>,
    active: readonly Stored<Pod>[],
    count: number,
  ): Promise<void> {
    const related = this.#relatedPods(replicaSet);
    const ranked = rankForDeletion(active, related, this.#context.clock.now());
    const chosen = ranked.slice(0, Math.min(count, burst));
    await Promise.all(chosen.map((pod) => this.#control.delete(pod, replicaSet)));
  }

  /** The active pods of all ReplicaSets of the same Deployment: where they run decides which pod goes. */
  #relatedPods(replicaSet: Stored<ReplicaSet>): readonly Stored<Pod>[] {
    const { namespace } = replicaSet.metadata;
    const parent = controllerOf(replicaSet)?.uid;
    const siblings = this.#replicaSets
      .inNamespace(namespace)
      .filter((one) => parent !== undefined && controllerOf(one)?.uid === parent);
    const owners = new Set([replicaSet, ...siblings].map(({ metadata }) => metadata.uid));
    return this.#pods
      .inNamespace(namespace)
      .filter((pod) => isPodActive(pod) && owners.has(controllerOf(pod)?.uid ?? ''));
  }

  async #writeStatus(
    replicaSet: Stored<ReplicaSet>,
    query: LabelQuery,
    failure: Error | undefined,
  ): Promise<void> {
    const mine = this.#pods
      .inNamespace(replicaSet.metadata.namespace)
      .filter((pod) => isControlledBy(pod, replicaSet) && !isPodFinished(pod))
      .filter((pod) => matchesLabels(query, pod.metadata.labels));
    const active = mine.filter((pod) => !isPodTerminating(pod));
    const terminating = mine.filter(isPodTerminating);
    const observed = { active, terminating, failure };
    const status = planReplicaSetStatus(replicaSet, observed, this.#context.clock.now());
    if (deepEqual(status, replicaSet.status)) return;
    await this.#replicaSets.updateStatus({ ...replicaSet, status });
  }
}
