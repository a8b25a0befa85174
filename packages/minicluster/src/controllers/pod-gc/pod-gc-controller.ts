import {
  formatTime,
  isConflict,
  isNotFound,
  Node,
  Pod,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { Informer } from '../informer.ts';
import { isPodFinished } from '../pod-state.ts';
import { type PodGarbage, planPodGc } from './plan-pod-gc.ts';

const periodMs = 20_000;
/** A node must be missing for so long before its pods count as orphans: it may only be late. */
const quarantineMs = 40_000;

/** Removes pods of nodes that are no more or out of service, pods that end without a node, and too many finished ones. */
export function startPodGcController(context: ControllerContext): void {
  const controller = new PodGcController(context);
  const loop = context.loop('pod-gc', async () => {
    await controller.collect();
    return periodMs;
  });
  loop.add('all');
}

class PodGcController {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  #missingSinceMs: ReadonlyMap<string, number> = new Map();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#pods = context.informer(Pod);
    this.#nodes = context.informer(Node);
  }

  async collect(): Promise<void> {
    const pods = this.#pods.all();
    const goneNodes = await this.#findGoneNodes(pods);
    const nodeOf = (name: string) => this.#nodes.get({ name });
    const garbage = planPodGc({ pods, nodeOf, goneNodes });
    for (const one of garbage) {
      await this.#remove(one).catch((error: unknown) => this.#context.report(error, 'pod-gc'));
    }
  }

  async #findGoneNodes(pods: readonly Stored<Pod>[]): Promise<ReadonlySet<string>> {
    const nowMs = this.#context.clock.now();
    const names = new Set(pods.flatMap(({ spec }) => spec?.nodeName ?? []));
    const missing = new Map<string, number>();
    const gone = new Set<string>();
    for (const name of names) {
      if (this.#nodes.get({ name })) continue;
      const sinceMs = this.#missingSinceMs.get(name) ?? nowMs;
      missing.set(name, sinceMs);
      if (nowMs - sinceMs < quarantineMs) continue;
      if (!(await this.#context.reader.get(Node, { name }))) gone.add(name);
    }
    this.#missingSinceMs = missing;
    return gone;
  }

  async #remove({ pod, message }: PodGarbage): Promise<void> {
    try {
      const marked = await this.#markFailed(pod, message);
      await this.#pods.delete(marked, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** Whoever made the pod shall see that it did not succeed. */
  async #markFailed(pod: Stored<Pod>, message: string | undefined): Promise<Stored<Pod>> {
    if (isPodFinished(pod)) return pod;
    const type = 'DisruptionTarget';
    const now = formatTime(this.#context.clock.now());
    const conditions = message
      ? setCondition(
          pod.status?.conditions,
          { type, status: 'True', reason: 'DeletionByPodGC', message },
          now,
        )
      : (pod.status?.conditions ?? []);
    return this.#pods.updateStatus({
      ...pod,
      status: { ...pod.status, phase: 'Failed', conditions },
    });
  }
}
