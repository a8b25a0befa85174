import {
  findCondition,
  formatTime,
  isConditionTrue,
  isConflict,
  isNotFound,
  keyOf,
  Lease,
  Node,
  Pod,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { ObjectReference, Taint } from 'kubernetes-types/core/v1.d.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isSilent, type NodeHealth, observeNode, planSilentConditions } from './node-health.ts';
import { planEvictions } from './plan-evictions.ts';
import { planScheduleTaints } from './taints.ts';

/** Healthy or not is decided in this rhythm; the taints that keep new pods away follow at once. */
const monitorPeriodMs = 5_000;

/** Finds out which nodes have fallen silent, says so in their status, and taints those that should not be used. */
export function startNodeLifecycleController(context: ControllerContext): void {
  const nodes = context.informer(Node);
  const controller = new NodeLifecycleController(context);
  const tainting = context.loop('node-taints', async (name) => {
    const node = nodes.get({ name });
    if (node) await controller.keepNewPodsAway(node);
    return undefined;
  });
  nodes.onChange((current) => current && tainting.add(current.metadata.name));
  const monitoring = context.loop('node-monitor', async () => {
    await controller.monitor();
    return monitorPeriodMs;
  });
  monitoring.add('all');
}

class NodeLifecycleController {
  readonly #context: ControllerContext;
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #pods: Informer<Pod>;
  readonly #events: ControllerEvents;
  #health: ReadonlyMap<string, NodeHealth> = new Map();
  #lastMs: ReadonlyMap<string, number> = new Map();
  #known: ReadonlyMap<string, Stored<Node>> = new Map();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informer(Node);
    this.#leases = context.informer(Lease);
    this.#pods = context.informer(Pod);
    this.#events = context.events('node-controller');
  }

  async keepNewPodsAway(node: Stored<Node>): Promise<void> {
    const taints = planScheduleTaints(node, formatTime(this.#context.clock.now()));
    if (taints) await this.#writeTaints(node, taints);
  }

  async monitor(): Promise<void> {
    this.#tellComingAndGoing();
    const health = new Map<string, NodeHealth>();
    for (const node of this.#nodes.all()) {
      const { name, uid } = node.metadata;
      const lease = this.#leases.get({ namespace: 'kube-node-lease', name });
      const nowMs = this.#context.clock.now();
      const observed = observeNode(node, lease, this.#health.get(uid), nowMs);
      health.set(uid, observed);
      if (isSilent(node, observed, nowMs)) await this.#reportSilence(node);
    }
    this.#health = health;
    await this.#driveOut();
  }

  #tellComingAndGoing(): void {
    const nodes = new Map(this.#nodes.all().map((node) => [node.metadata.name, node]));
    for (const [name, node] of nodes) {
      if (!this.#known.has(name)) this.#tell(node, 'RegisteredNode', `Registered Node ${name} in`);
    }
    for (const [name, node] of this.#known) {
      if (!nodes.has(name)) this.#tell(node, 'RemovingNode', `Removing Node ${name} from`);
    }
    this.#known = nodes;
  }

  #tell(node: Stored<Node>, reason: 'RegisteredNode' | 'RemovingNode', what: string): void {
    const message = `Node ${node.metadata.name} event: ${what} Controller`;
    this.#events.normal(referenceTo(node), reason, message);
  }

  async #driveOut(): Promise<void> {
    const plan = planEvictions(this.#nodes.all(), this.#lastMs, this.#context.clock.now());
    for (const { node, taints } of plan.taints) {
      const latest = this.#nodes.get(keyOf(node)) ?? node;
      await this.#writeTaints(latest, taints);
    }
    this.#lastMs = plan.lastMs;
  }

  /** The pods of a node that falls silent are not ready any more: nobody can tell. */
  async #reportSilence(node: Stored<Node>): Promise<void> {
    const conditions = planSilentConditions(node, this.#context.clock.now());
    if (!conditions) return;
    const wasReady = isConditionTrue(node.status?.conditions, 'Ready');
    try {
      await this.#nodes.updateStatus({ ...node, status: { ...node.status, conditions } });
    } catch (error) {
      // It has just spoken, or gone: the next round sees.
      if (isConflict(error) || isNotFound(error)) return;
      throw error;
    }
    if (!wasReady) return;
    const { name } = node.metadata;
    const reason = 'NodeNotReady';
    this.#events.normal(referenceTo(node), reason, `Node ${name} status is now: ${reason}`);
    await this.#markPodsNotReady(name);
  }

  async #markPodsNotReady(nodeName: string): Promise<void> {
    const pods = this.#pods.all().filter(({ spec }) => spec?.nodeName === nodeName);
    for (const pod of pods) {
      const ready = findCondition(pod.status?.conditions, 'Ready');
      if (ready?.status !== 'True') continue;
      const now = formatTime(this.#context.clock.now());
      const condition = { type: 'Ready', status: 'False' };
      const conditions = setCondition(pod.status?.conditions, condition, now);
      try {
        await this.#pods.updateStatus({ ...pod, status: { ...pod.status, conditions } });
      } catch (error) {
        if (isNotFound(error)) continue;
        this.#context.report(error, `node-monitor ${nodeName}`);
      }
      this.#events.warning(pod, 'NodeNotReady', 'Node is not ready');
    }
  }

  async #writeTaints(node: Stored<Node>, taints: Taint[]): Promise<void> {
    try {
      await this.#nodes.update({ ...node, spec: { ...node.spec, taints } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** As the events of nodes name them: whichever version it was. */
function referenceTo({ metadata }: Stored<Node>): ObjectReference {
  return { apiVersion: 'v1', kind: 'Node', name: metadata.name, uid: metadata.uid };
}
