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
import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import type { ControllerContext } from '../controller-context.ts';
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
  #health: ReadonlyMap<string, NodeHealth> = new Map();
  #lastMs: ReadonlyMap<string, number> = new Map();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informer(Node);
    this.#leases = context.informer(Lease);
    this.#pods = context.informer(Pod);
  }

  async keepNewPodsAway(node: Stored<Node>): Promise<void> {
    const taints = planScheduleTaints(node, formatTime(this.#context.clock.now()));
    if (taints) await this.#writeTaints(node, taints);
  }

  async monitor(): Promise<void> {
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
    if (wasReady) await this.#markPodsNotReady(node.metadata.name);
  }

  async #markPodsNotReady(nodeName: string): Promise<void> {
    const pods = this.#pods.all().filter(({ spec }) => spec?.nodeName === nodeName);
    for (const pod of pods) {
      const ready = findCondition(pod.status?.conditions, 'Ready');
      if (ready?.status !== 'True') continue;
      const now = formatTime(this.#context.clock.now());
      const condition = { type: 'Ready', status: 'False' };
      const conditions = setCondition(pod.status?.conditions, condition, now);
      await this.#pods
        .updateStatus({ ...pod, status: { ...pod.status, conditions } })
        .catch((error: unknown) => this.#context.report(error, `node-monitor ${nodeName}`));
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
