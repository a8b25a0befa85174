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
import type { Informer } from '../informer.ts';
import { isControlledBy } from '../owner-reference.ts';
import { nextAvailableInMs } from '../pod-state.ts';
import { watchDependents } from '../watch-dependents.ts';
import { forgeDaemonPod, hashLabel } from './daemon-pod.ts';
import { planDaemonSet, planDaemonSetStatus } from './plan-daemon-set.ts';

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
  readonly #nodes: Informer<Node>;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informer(DaemonSet);
    this.#pods = context.informer(Pod);
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
    const plan = planDaemonSet({ set, nodes, pods, hash }, this.#context.clock.now());
    for (const node of plan.create) await this.#pods.create(forgeDaemonPod(set, node, hash));
    for (const pod of plan.remove) await this.#pods.delete(pod);
    await this.#writeStatus(set, nodes, hash);
    const used = new Set([...pods.map(({ metadata }) => metadata.labels?.[hashLabel]), hash]);
    await truncateRevisions(set, this.#revisions, ({ metadata }) =>
      used.has(metadata.labels?.[hashLabel]),
    );
    const { minReadySeconds = 0 } = set.spec ?? {};
    return nextAvailableInMs(pods, minReadySeconds, this.#context.clock.now());
  }

  #claimPods(owner: Stored<DaemonSet>): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const mayAdopt = async () => {
      const fresh = await this.#context.client.get(DaemonSet, { namespace, name });
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
