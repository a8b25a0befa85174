import { labels } from '@liqo/api';
import {
  type Client,
  isNotFound,
  keyOf,
  mergePatch,
  type Node,
  type ObjectKey,
  Pod,
  type Stored,
} from '@liqo/kube';
import { isReady, remoteUnavailableChange } from '@liqo/model';
import {
  type CachedReader,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';

interface PodStatusWorld {
  readonly client: Client;
  readonly nodes: CachedReader<Node>;
  /** Those of the offloaded pods that have the label, whatever it says. */
  readonly marked: Informer<Pod, 'node'>;
}

/** Pods may come to a node that is not ready, and nobody tells us. */
const lookAgainMs = 2_000;
const atOnce = 16;

/** One virtual node: its pods are marked while it is not ready. */
export class PodStatusReconciler {
  readonly #world: PodStatusWorld;

  constructor(world: PodStatusWorld) {
    this.#world = world;
  }

  async reconcile({ name }: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { nodes, marked } = this.#world;
    const node = nodes.get({ name });
    if (!node) return done;
    const pods = isReady(node)
      ? marked.byIndex('node', name)
      : await this.#unmarkedOn(name, run.signal);
    const waiting = pods.values();
    const correctSome = async () => {
      for (const pod of waiting) await this.#correct(pod, node, run);
    };
    await Promise.all(Array.from({ length: atOnce }, correctSome));
    if (isReady(node)) return done;
    return requeueAfter(lookAgainMs, 'looking for pods that come to a node that is not ready');
  }

  /** As the server last heard: what it has not heard of yet is found next time. */
  async #unmarkedOn(nodeName: string, signal: AbortSignal): Promise<readonly Stored<Pod>[]> {
    const { items } = await this.#world.client.list(Pod, {
      fieldSelector: `spec.nodeName=${nodeName}`,
      labelSelector: `${labels.shadowPod}=true,${labels.remoteUnavailable}!=true`,
      resourceVersion: '0',
      signal,
    });
    return items;
  }

  async #correct(pod: Stored<Pod>, node: Stored<Node>, run: ReconcileContext): Promise<void> {
    const change = remoteUnavailableChange(pod, node);
    if (change === undefined) return;
    const { client, marked } = this.#world;
    const { uid } = pod.metadata;
    const patch = mergePatch({ metadata: { uid, labels: { [labels.remoteUnavailable]: change } } });
    try {
      run.wrote(marked, await client.patch(Pod, keyOf(pod), patch, run.signal));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
