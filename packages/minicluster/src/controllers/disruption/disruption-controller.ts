import {
  Deployment,
  deepEqual,
  keyOf,
  keyString,
  labelQueryFromSelector,
  matchesLabels,
  Pod,
  PodDisruptionBudget,
  parseKey,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
  type Stored,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { controllerOf } from '../owner-reference.ts';
import { needsScale, unmanagedPodsMessage } from './budget-events.ts';
import { planBudget } from './plan-budget.ts';

/** Keeps the status of disruption budgets: how many evictions the API server may grant. */
export function startDisruptionController(context: ControllerContext): void {
  const budgets = context.informer(PodDisruptionBudget);
  const controller = new DisruptionController(context);
  const loop = context.loop('disruption', (key) => controller.reconcile(key));
  const enqueueAll = (namespace: string | undefined) => {
    for (const budget of budgets.inNamespace(namespace)) loop.add(keyString(keyOf(budget)));
  };
  budgets.onChange((current) => current && loop.add(keyString(keyOf(current))));
  context.informer(Pod).onChange((current, previous) => {
    for (const budget of budgets.inNamespace((current ?? previous)?.metadata.namespace)) {
      const query = labelQueryFromSelector(budget.spec?.selector);
      const isTouched = [current, previous].some(
        (pod) => pod && matchesLabels(query, pod.metadata.labels),
      );
      if (isTouched) loop.add(keyString(keyOf(budget)));
    }
  });
  for (const kind of [ReplicaSet, Deployment, StatefulSet, ReplicationController]) {
    context.informer<Scalable>(kind).onChange((current, previous) => {
      if (current?.spec?.replicas !== previous?.spec?.replicas) {
        enqueueAll((current ?? previous)?.metadata.namespace);
      }
    });
  }
}

type Scalable = ReplicaSet | Deployment | StatefulSet | ReplicationController;

class DisruptionController {
  readonly #context: ControllerContext;
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #pods: Informer<Pod>;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#budgets = context.informer(PodDisruptionBudget);
    this.#pods = context.informer(Pod);
    this.#events = context.events('controllermanager');
  }

  async reconcile(key: string): Promise<number | undefined> {
    const budget = this.#budgets.get(parseKey(key));
    if (!budget) return undefined;
    const query = labelQueryFromSelector(budget.spec?.selector);
    const pods = this.#pods
      .inNamespace(budget.metadata.namespace)
      .filter(({ metadata }) => matchesLabels(query, metadata.labels));
    const controllerScale = this.#scaleOf(pods);
    const nowMs = this.#context.clock.now();
    const { status, againMs, overdue } = planBudget({ budget, pods, controllerScale }, nowMs);
    this.#tell(budget, pods, overdue);
    if (!deepEqual(status, budget.status)) await this.#budgets.updateStatus({ ...budget, status });
    return againMs;
  }

  #tell(
    budget: Stored<PodDisruptionBudget>,
    pods: readonly Stored<Pod>[],
    overdue: readonly Stored<Pod>[],
  ): void {
    if (pods.length === 0) this.#events.normal(budget, 'NoPods', 'No matching pods found');
    if (needsScale(budget) && pods.some((pod) => !controllerOf(pod))) {
      this.#events.warning(budget, 'UnmanagedPods', unmanagedPodsMessage(budget));
    }
    const { namespace } = budget.metadata;
    // That the namespace is said twice, and the name never, is how it is.
    const fact = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    for (const pod of overdue) this.#events.warning(pod, 'NotDeleted', fact);
  }

  /** What the topmost controllers of the pods are asked for. Pods without one do not count. */
  #scaleOf(pods: readonly Stored<Pod>[]): number {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const controller = this.#controllerOf(pod);
      if (controller) scales.set(controller.metadata.uid, controller.spec?.replicas ?? 1);
    }
    return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
  }

  #controllerOf(object: Stored<Pod> | Stored<ReplicaSet>): Stored<Scalable> | undefined {
    const reference = controllerOf(object);
    if (!reference) return undefined;
    const key = { namespace: object.metadata.namespace, name: reference.name };
    const find = (): Stored<Scalable> | undefined => {
      switch (reference.kind) {
        case 'ReplicaSet':
          return this.#context.informer(ReplicaSet).get(key);
        case 'Deployment':
          return this.#context.informer(Deployment).get(key);
        case 'StatefulSet':
          return this.#context.informer(StatefulSet).get(key);
        case 'ReplicationController':
          return this.#context.informer(ReplicationController).get(key);
        default:
          return undefined;
      }
    };
    const found = find();
    if (found?.metadata.uid !== reference.uid) return undefined;
    return found.kind === 'ReplicaSet'
      ? (this.#controllerOf(found as Stored<ReplicaSet>) ?? found)
      : found;
  }
}
