import {
  formatTime,
  isNotFound,
  keyOf,
  keyString,
  Node,
  Pod,
  parseKey,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import { isPodTerminating } from '../pod-state.ts';
import { toleratedMs } from './taints.ts';

/** Deletes pods from nodes whose taints they do not tolerate, or not for so long. */
export function startTaintEvictionController(context: ControllerContext): void {
  const nodes = context.informer(Node);
  const pods = context.informer(Pod);
  const controller = new TaintEvictionController(context);
  const loop = context.loop('taint-eviction', (key) => controller.reconcile(key));
  const enqueue = (pod: Stored<Pod>) => loop.add(keyString(keyOf(pod)));
  pods.onChange((current, previous) => {
    if (!current && previous) controller.forget(previous);
    if (current?.spec?.nodeName) enqueue(current);
  });
  nodes.onChange((current, previous) => {
    const taints = (node: Node | undefined) => JSON.stringify(node?.spec?.taints ?? []);
    if (!current || taints(current) === taints(previous)) return;
    const { name } = current.metadata;
    for (const pod of pods.all()) if (pod.spec?.nodeName === name) enqueue(pod);
  });
}

interface Exposure {
  readonly sinceMs: number;
  /** Its end is set, or has begun. */
  readonly fate: 'scheduled' | 'marked';
}

class TaintEvictionController {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;
  /** Pods that are exposed to taints that drive pods away, by UID. */
  readonly #exposed = new Map<string, Exposure>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#events = context.events('taint-eviction-controller');
  }

  /** It may stay, or is gone anyway. */
  forget(pod: Stored<Pod>): void {
    const exposure = this.#exposed.get(pod.metadata.uid);
    if (exposure?.fate === 'scheduled') this.#tell(pod, 'Cancelling deletion of');
    this.#exposed.delete(pod.metadata.uid);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const pod = this.#context.informer(Pod).get(parseKey(key));
    const name = pod?.spec?.nodeName;
    if (!pod || !name || isPodTerminating(pod)) return undefined;
    const node = this.#context.informer(Node).get({ name });
    const taints = (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    const limitMs = toleratedMs(taints, pod.spec?.tolerations ?? []);
    if (limitMs === Number.POSITIVE_INFINITY) {
      this.forget(pod);
      return undefined;
    }
    const nowMs = this.#context.clock.now();
    const { uid } = pod.metadata;
    const { sinceMs, fate } = this.#exposed.get(uid) ?? { sinceMs: nowMs, fate: 'new' };
    const leftMs = sinceMs + limitMs - nowMs;
    if (leftMs > 0) {
      this.#exposed.set(uid, { sinceMs, fate: 'scheduled' });
      return leftMs;
    }
    if (limitMs === 0) this.forget(pod);
    if (fate !== 'marked') this.#tell(pod, 'Marking for deletion');
    this.#exposed.set(uid, { sinceMs, fate: 'marked' });
    await this.#evict(pod);
    return undefined;
  }

  #tell({ metadata }: Stored<Pod>, what: string): void {
    const { namespace = '', name } = metadata;
    const about = { apiVersion: 'v1', kind: 'Pod', namespace, name };
    this.#events.normal(about, 'TaintManagerEviction', `${what} Pod ${namespace}/${name}`);
  }

  async #evict(pod: Stored<Pod>): Promise<void> {
    const pods = this.#context.informer(Pod);
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    };
    const now = formatTime(this.#context.clock.now());
    const conditions = setCondition(pod.status?.conditions, condition, now);
    try {
      await pods.updateStatus({ ...pod, status: { ...pod.status, conditions } });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    await pods.delete(pod);
  }
}
