import {
  finalizers,
  fixedNames,
  VirtualNode,
  type VkOptionsTemplate,
  virtualKubeletName,
} from '@liqo/api';
import { formatTime, keyString, type ObjectKey, type Stored } from '@liqo/kube';
import { type VirtualNodeFacts, virtualNodeConditions } from '@liqo/model';
import {
  done,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  withFinalizer,
  writeStatus,
} from '@liqo/runtime';
import { ensureKubelet } from './ensure-kubelet.ts';
import { ensureNamespaceMap } from './ensure-namespace-map.ts';
import { findObstacle, type Obstacle } from './find-obstacle.ts';
import { followSlice } from './follow-slice.ts';
import { removeNode, tearDown } from './tear-down.ts';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

/** A Secret without our label arrives unheard, and so does the end of a Node that has our name. */
const lookAgainMs = 5_000;

export class VirtualNodeReconciler {
  readonly #world: VirtualNodeWorld;

  constructor(world: VirtualNodeWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const virtualNode = this.#world.virtualNodes.get(key);
    if (!virtualNode) return done;
    return withFinalizer(
      {
        client: this.#world.client,
        kind: VirtualNode,
        name: finalizers.virtualNode,
        apply: (current) => this.#bringUp(current, run),
        cleanup: (current) => this.#takeDown(current, run),
      },
      virtualNode,
      run.signal,
    );
  }

  async #bringUp(virtualNode: Stored<VirtualNode>, run: ReconcileContext): Promise<Outcome> {
    const foreign = this.#foreignTemplate(virtualNode);
    const template = foreign ? undefined : this.#template(virtualNode);
    const createNode = virtualNode.spec.createNode ?? template?.spec.createNode ?? true;
    const obstacle = template
      ? await this.#bringUpWith(template, virtualNode, run)
      : (foreign ?? this.#noTemplate(virtualNode));
    if (obstacle) {
      await this.#report(virtualNode, { createNode, obstacle }, run);
      return requeueAfter(lookAgainMs, obstacle.message);
    }
    if (!createNode) {
      const outcome = await removeNode(this.#world, virtualNode, run.signal);
      await this.#report(virtualNode, { createNode }, run);
      return outcome;
    }
    const whyCordoned = await followSlice(this.#world, virtualNode, run.signal);
    await this.#report(virtualNode, { createNode, ...(whyCordoned && { whyCordoned }) }, run);
    return done;
  }

  async #bringUpWith(
    template: VkOptionsTemplate,
    virtualNode: Stored<VirtualNode>,
    run: ReconcileContext,
  ): Promise<Obstacle | undefined> {
    const obstacle = await findObstacle(this.#world, virtualNode, run.signal);
    if (obstacle) return obstacle;
    await ensureNamespaceMap(this.#world, virtualNode, run.signal);
    return ensureKubelet(this.#world, virtualNode, template, run);
  }

  async #takeDown(virtualNode: Stored<VirtualNode>, run: ReconcileContext): Promise<Outcome> {
    const { step, message, outcome } = await tearDown(this.#world, virtualNode, {
      restoreKubelet: () => this.#restoreKubelet(virtualNode, run),
      signal: run.signal,
    });
    if (step !== 'finish') {
      await this.#report(virtualNode, { createNode: true, teardown: { step, message } }, run);
    }
    return outcome;
  }

  /** Lost while its pods are drained. What kept it from being made before keeps it from being made again. */
  async #restoreKubelet(
    virtualNode: Stored<VirtualNode>,
    run: ReconcileContext,
  ): Promise<Obstacle | undefined> {
    const foreign = this.#foreignTemplate(virtualNode);
    if (foreign) return foreign;
    const template = this.#template(virtualNode);
    if (!template) return this.#noTemplate(virtualNode);
    const obstacle = await findObstacle(this.#world, virtualNode, run.signal);
    return obstacle ?? ensureKubelet(this.#world, virtualNode, template, run);
  }

  #template({ spec }: Stored<VirtualNode>): Stored<VkOptionsTemplate> | undefined {
    return this.#world.templates.get(this.#templateKey(spec));
  }

  #templateKey({ vkOptionsTemplateRef }: VirtualNode['spec']): ObjectKey {
    const { name, namespace } = vkOptionsTemplateRef ?? {};
    return {
      namespace: namespace ?? this.#world.liqoNamespace,
      name: name ?? fixedNames.defaultVkOptionsTemplate,
    };
  }

  /** Options decide about the image and the rights of a virtual kubelet: authors of VirtualNodes cannot bring theirs. */
  #foreignTemplate({ metadata, spec }: Stored<VirtualNode>): Obstacle | undefined {
    const { namespace } = this.#templateKey(spec);
    const { liqoNamespace } = this.#world;
    if (namespace === liqoNamespace || namespace === metadata.namespace) return undefined;
    const message = `spec.vkOptionsTemplateRef leads to the namespace "${namespace}": name a VkOptionsTemplate of "${liqoNamespace}" or of "${metadata.namespace}"`;
    return { reason: 'OptionsRefused', message, isRefusal: true };
  }

  #noTemplate({ spec }: Stored<VirtualNode>): Obstacle {
    const key = keyString(this.#templateKey(spec));
    const message = `Waiting for the VkOptionsTemplate "${key}": create it, or name another one in spec.vkOptionsTemplateRef`;
    return { reason: 'NoOptionsTemplate', message };
  }

  async #report(
    virtualNode: Stored<VirtualNode>,
    facts: Omit<VirtualNodeFacts, 'node' | 'kubelet' | 'now' | 'obstacle'> & {
      readonly obstacle?: Obstacle;
    },
    run: ReconcileContext,
  ): Promise<void> {
    const { client, clock, events, nodes, kubelets, virtualNodes } = this.#world;
    const { name, namespace } = virtualNode.metadata;
    const conditions = virtualNodeConditions(virtualNode, {
      ...facts,
      node: nodes.get({ name }),
      kubelet: kubelets.get({ namespace, name: virtualKubeletName(name) }),
      now: formatTime(clock.now()),
    });
    const status = { conditions };
    const written = await writeStatus(client, VirtualNode, virtualNode, status, run.signal);
    if (written === virtualNode) return;
    run.wrote(virtualNodes, written);
    if (!facts.obstacle?.isRefusal) return;
    const { reason, message: note } = facts.obstacle;
    events.record({ regarding: virtualNode, type: 'Warning', reason, action: 'Refusing', note });
  }
}
