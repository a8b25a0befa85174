import { labels } from '@liqo/api';
import { type Client, isNotFound, mergePatch, type Node, type ObjectKey, Pod } from '@liqo/kube';
import { remoteUnavailableChange } from '@liqo/model';
import { type CachedReader, done, type Outcome, type ReconcileContext } from '@liqo/runtime';

interface PodStatusWorld {
  readonly client: Client;
  readonly nodes: CachedReader<Node>;
  /** Those that are offloaded. */
  readonly pods: CachedReader<Pod, 'node'>;
}

export class PodStatusReconciler {
  readonly #world: PodStatusWorld;

  constructor(world: PodStatusWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, nodes, pods } = this.#world;
    const pod = pods.get(key);
    if (!pod) return done;
    const change = remoteUnavailableChange(pod, nodes.get({ name: pod.spec?.nodeName ?? '' }));
    if (change === undefined) return done;
    const { uid } = pod.metadata;
    const patch = mergePatch({ metadata: { uid, labels: { [labels.remoteUnavailable]: change } } });
    try {
      await client.patch(Pod, key, patch, signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  }
}
