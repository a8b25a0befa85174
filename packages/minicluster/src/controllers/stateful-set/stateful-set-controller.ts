import {
  ControllerRevision,
  deepEqual,
  isAlreadyExists,
  keyOf,
  labelQueryFromSelector,
  PersistentVolumeClaim,
  Pod,
  parseKey,
  StatefulSet,
  type Stored,
} from '@liqo/kube';
import { claim } from '../claim.ts';
import type { ControllerContext } from '../controller-context.ts';
import {
  ensureRevision,
  type Revision,
  revisionsOf,
  templateOf,
  truncateRevisions,
} from '../controller-revision.ts';
import type { Informer } from '../informer.ts';
import { isControlledBy } from '../owner-reference.ts';
import { nextAvailableInMs } from '../pod-state.ts';
import { watchDependents } from '../watch-dependents.ts';
import { planStatefulSet } from './plan-stateful-set.ts';
import { forgeClaims, forgeStatefulPod, ordinalOf, revisionOf } from './stateful-pod.ts';
import { planStatefulSetStatus } from './stateful-set-status.ts';

export function startStatefulSetController(context: ControllerContext): void {
  const controller = new StatefulSetController(context);
  const loop = context.loop('statefulset', (key) => controller.reconcile(key));
  watchDependents({
    owners: context.informer(StatefulSet),
    dependents: context.informer(Pod),
    selectorOf: ({ spec }) => spec?.selector,
    enqueue: (key) => loop.add(key),
  });
}

interface Revisions {
  readonly current: Revision;
  readonly update: Revision;
}

class StatefulSetController {
  readonly #context: ControllerContext;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informer(StatefulSet);
    this.#pods = context.informer(Pod);
    this.#claims = context.informer(PersistentVolumeClaim);
    this.#revisions = context.informer(ControllerRevision);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const set = this.#sets.get(parseKey(key));
    if (!set) return undefined;
    const pods = await this.#claimPods(set);
    const update = await ensureRevision(set, this.#revisions, 'controller.kubernetes.io/hash');
    const known = revisionsOf(set, this.#revisions);
    const current =
      known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    await this.#act(set, pods, { current, update });
    await this.#writeStatus(set, { current, update });
    const used = new Set([...pods.map(revisionOf), current.metadata.name, update.metadata.name]);
    await truncateRevisions(set, this.#revisions, ({ metadata }) => used.has(metadata.name));
    const { minReadySeconds = 0 } = set.spec ?? {};
    return nextAvailableInMs(pods, minReadySeconds, this.#context.clock.now());
  }

  async #claimPods(owner: Stored<StatefulSet>): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const query = labelQueryFromSelector(owner.spec?.selector);
    const candidates = this.#pods
      .inNamespace(namespace)
      .filter((pod) => ordinalOf(owner, pod) !== undefined);
    const mayAdopt = async () => {
      const fresh = await this.#context.client.get(StatefulSet, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    return claim({ owner, query, informer: this.#pods, candidates, mayAdopt });
  }

  async #act(
    set: Stored<StatefulSet>,
    pods: readonly Stored<Pod>[],
    revisions: Revisions,
  ): Promise<void> {
    const updateRevision = revisions.update.metadata.name;
    const plan = planStatefulSet({ set, pods, updateRevision }, this.#context.clock.now());
    for (const { ordinal, revision } of plan.create) {
      await this.#ensureClaims(set, ordinal);
      const { metadata, ...chosen } = revisions[revision];
      const template = templateOf({ metadata, ...chosen });
      await this.#pods.create(forgeStatefulPod(set, ordinal, { name: metadata.name, template }));
    }
    for (const pod of plan.remove) await this.#pods.delete(pod);
  }

  async #ensureClaims(set: Stored<StatefulSet>, ordinal: number): Promise<void> {
    for (const wanted of forgeClaims(set, ordinal)) {
      const { namespace, name = '' } = wanted.metadata ?? {};
      if (this.#claims.get({ namespace, name })) continue;
      try {
        await this.#claims.create(wanted);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }
  }

  async #writeStatus(set: Stored<StatefulSet>, { current, update }: Revisions): Promise<void> {
    const latest = this.#sets.get(keyOf(set)) ?? set;
    const pods = this.#pods
      .inNamespace(set.metadata.namespace)
      .filter((pod) => isControlledBy(pod, set) && ordinalOf(set, pod) !== undefined);
    const names = { current: current.metadata.name, update: update.metadata.name };
    const status = planStatefulSetStatus(set, pods, names, this.#context.clock.now());
    if (deepEqual(status, latest.status)) return;
    await this.#sets.updateStatus({ ...latest, status });
  }
}
