import {
  ControllerRevision,
  DaemonSet,
  deepEqual,
  keyOf,
  keyString,
  labelQueryFromSelector,
  Node,
  Pod,
  parseKey,
  type Stored,
} from '@liqo/kube';
import { claim } from '../claim.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ensureRevision, truncateRevisions } from '../controller-revision.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isControlledBy } from '../owner-reference.ts';
import { PodControl } from '../pod-control.ts';
import { nextAvailableInMs } from '../pod-state.ts';
import { watchDependents } from '../watch-dependents.ts';
import { forgeDaemonPod, hashLabel, nodeOf } from './daemon-pod.ts';
import { FailedPodBackoff } from './failed-pod-backoff.ts';
import { type DaemonSetPlan, planDaemonSet, planDaemonSetStatus } from './plan-daemon-set.ts';

export function startDaemonSetController(context: ControllerContext): void {
  const sets = context.informer(DaemonSet);
  const controller = new DaemonSetController(context);
  const loop = context.loop('daemonset', (key) => controller.reconcile(key));
  watchDependents({
    owners: sets,
    dependents: context.informer(Pod),
    selectorOf: ({ spec }) => spec?.selector,
    enqueue: (key) => loop.add(key),
  });
  context.informer(Node).onChange((current, previous) => {
    if (current && previous && isSamePlace(current, previous)) return;
    for (const set of sets.all()) loop.add(keyString(keyOf(set)));
  });
}

/** Whether nothing changed that decides who may run on the node. */
function isSamePlace(a: Node, b: Node): boolean {
  return (
    deepEqual(a.metadata?.labels, b.metadata?.labels) && deepEqual(a.spec?.taints, b.spec?.taints)
  );
}

class DaemonSetController {
  readonly #context: ControllerContext;
  readonly #sets: Informer<DaemonSet>;
  readonly #pods: Informer<Pod>;
  readonly #events: ControllerEvents;
  readonly #control: PodControl;
  readonly #backoff = new FailedPodBackoff();
  readonly #nodes: Informer<Node>;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informer(DaemonSet);
    this.#pods = context.informer(Pod);
    this.#events = context.events('daemonset-controller');
    this.#control = new PodControl(this.#pods, this.#events);
    this.#nodes = context.informer(Node);
    this.#revisions = context.informer(ControllerRevision);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const set = this.#sets.get(parseKey(key));
    if (!set) return undefined;
    const pods = await this.#claimPods(set);
    const revision = await ensureRevision(set, this.#revisions, hashLabel);
    const hash = revision.metadata.labels?.[hashLabel] ?? '';
    const nodes = this.#nodes.all();
    const nowMs = this.#context.clock.now();
    const heldMs = (pod: Stored<Pod>) => this.#heldMs(set, pod, nowMs);
    const isHeld = (pod: Stored<Pod>) => heldMs(pod) > 0;
    const waits = pods.filter(isHeld).map(heldMs);
    const plan = planDaemonSet({ set, nodes, pods, hash, isHeld }, nowMs);
    await this.#carryOut(set, plan, hash);
    await this.#writeStatus(set, nodes, hash);
    const used = new Set([...pods.map(({ metadata }) => metadata.labels?.[hashLabel]), hash]);
    await truncateRevisions(set, this.#revisions, ({ metadata }) =>
      used.has(metadata.labels?.[hashLabel]),
    );
    const { minReadySeconds = 0 } = set.spec ?? {};
    const availableMs = nextAvailableInMs(pods, minReadySeconds, nowMs);
    return earliest([...waits, ...(availableMs === undefined ? [] : [availableMs])]);
  }

  async #carryOut(set: Stored<DaemonSet>, plan: DaemonSetPlan, hash: string): Promise<void> {
    for (const pod of plan.finished) this.#noteFinished(set, pod);
    for (const node of plan.create) {
      await this.#control.create(forgeDaemonPod(set, node, hash), set);
    }
    for (const pod of [...plan.remove, ...plan.finished]) await this.#control.delete(pod, set);
  }

  #heldMs(set: Stored<DaemonSet>, pod: Stored<Pod>, nowMs: number): number {
    if (pod.status?.phase !== 'Failed') return 0;
    return this.#backoff.leftMs(placeOf(set, pod), nowMs);
  }

  #noteFinished(set: Stored<DaemonSet>, pod: Stored<Pod>): void {
    const { namespace, name } = pod.metadata;
    const where = `daemon pod ${namespace}/${name} on node ${nodeOf(pod)}`;
    if (pod.status?.phase === 'Failed') {
      this.#backoff.note(placeOf(set, pod), this.#context.clock.now());
      this.#events.warning(set, 'FailedDaemonPod', `Found failed ${where}, will try to kill it`);
    } else {
      const message = `Found succeeded ${where}, will try to delete it`;
      this.#events.normal(set, 'SucceededDaemonPod', message);
    }
  }

  #claimPods(owner: Stored<DaemonSet>): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const mayAdopt = async () => {
      const fresh = await this.#context.reader.get(DaemonSet, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    const query = labelQueryFromSelector(owner.spec?.selector);
    const candidates = this.#pods.inNamespace(namespace);
    return claim({ owner, query, informer: this.#pods, candidates, mayAdopt });
  }

  async #writeStatus(
    set: Stored<DaemonSet>,
    nodes: readonly Stored<Node>[],
    hash: string,
  ): Promise<void> {
    const pods = this.#pods
      .inNamespace(set.metadata.namespace)
      .filter((pod) => isControlledBy(pod, set));
    const status = planDaemonSetStatus({ set, nodes, pods, hash }, this.#context.clock.now());
    if (deepEqual(status, set.status)) return;
    await this.#sets.updateStatus({ ...set, status });
  }
}

function earliest(waits: readonly number[]): number | undefined {
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

/** A new generation begins anew. */
function placeOf({ metadata, status }: Stored<DaemonSet>, pod: Stored<Pod>): string {
  return `${metadata.uid}/${status?.observedGeneration ?? 0}/${nodeOf(pod)}`;
}
