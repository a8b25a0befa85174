import {
  ControllerRevision,
  deepEqual,
  keyOf,
  keyString,
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
import { StatefulPodControl } from './stateful-pod-control.ts';
import { planStatefulSetStatus } from './stateful-set-status.ts';

export function startStatefulSetController(context: ControllerContext): void {
  const sets = context.informer(StatefulSet);
  const controller = new StatefulSetController(context);
  const loop = context.loop('statefulset', (key) => controller.reconcile(key));
  watchDependents({
    owners: sets,
    dependents: context.informer(Pod),
    selectorOf: ({ spec }) => spec?.selector,
    enqueue: (key) => loop.add(key),
  });
  context.informer(PersistentVolumeClaim).onChange((current, previous) => {
    if (current || !previous) return;
    for (const set of sets.inNamespace(previous.metadata.namespace))
      loop.add(keyString(keyOf(set)));
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
  readonly #revisions: Informer<ControllerRevision>;
  readonly #control: StatefulPodControl;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informer(StatefulSet);
    this.#pods = context.informer(Pod);
    this.#revisions = context.informer(ControllerRevision);
    this.#control = new StatefulPodControl(context);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const set = this.#sets.get(parseKey(key));
    if (!set) return undefined;
    // Read first: what becomes available between this and the status is looked at again.
    const nowMs = this.#context.clock.now();
    const pods = await this.#claimPods(set);
    const update = await ensureRevision(set, this.#revisions, 'controller.kubernetes.io/hash');
    const known = revisionsOf(set, this.#revisions);
    const current =
      known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    await this.#keepClaims(set, pods);
    await this.#act(set, pods, { current, update });
    await this.#writeStatus(set, { current, update });
    const used = new Set([...pods.map(revisionOf), current.metadata.name, update.metadata.name]);
    await truncateRevisions(set, this.#revisions, ({ metadata }) => used.has(metadata.name));
    const { minReadySeconds = 0 } = set.spec ?? {};
    return nextAvailableInMs(pods, minReadySeconds, nowMs);
  }

  async #claimPods(owner: Stored<StatefulSet>): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const query = labelQueryFromSelector(owner.spec?.selector);
    const candidates = this.#pods
      .inNamespace(namespace)
      .filter((pod) => ordinalOf(owner, pod) !== undefined);
    const mayAdopt = async () => {
      const fresh = await this.#context.reader.get(StatefulSet, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    return claim({ owner, query, informer: this.#pods, candidates, mayAdopt });
  }

  async #keepClaims(set: Stored<StatefulSet>, pods: readonly Stored<Pod>[]): Promise<void> {
    if (set.metadata.deletionTimestamp || !set.spec?.volumeClaimTemplates?.length) return;
    for (const pod of pods) {
      await this.#control.keepClaims(set, pod, forgeClaims(set, ordinalOf(set, pod) ?? 0));
    }
  }

  async #act(
    set: Stored<StatefulSet>,
    pods: readonly Stored<Pod>[],
    revisions: Revisions,
  ): Promise<void> {
    const updateRevision = revisions.update.metadata.name;
    const plan = planStatefulSet({ set, pods, updateRevision }, this.#context.clock.now());
    for (const { ordinal, revision } of plan.create) {
      const { metadata, ...chosen } = revisions[revision];
      const template = templateOf({ metadata, ...chosen });
      const pod = forgeStatefulPod(set, ordinal, { name: metadata.name, template });
      await this.#control.create(set, pod, forgeClaims(set, ordinal));
    }
    for (const pod of plan.remove) await this.#control.delete(set, pod);
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
