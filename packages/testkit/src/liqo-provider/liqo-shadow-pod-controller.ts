import { labels, labelValues, ShadowPod } from '@liqo/api';
import {
  apiVersionOf,
  type Client,
  deepEqual,
  isAlreadyExists,
  isNotFound,
  keyOf,
  mergePatch,
  type ObjectKey,
  Pod,
  type Stored,
} from '@liqo/kube';
import {
  done,
  type Informer,
  mapped,
  type Outcome,
  primary,
  silentLogger,
  startController,
  startInformer,
  systemClock,
  systemRandom,
} from '@liqo/runtime';

/**
 * Liqo's ShadowPod controller: a ShadowPod has a pod until its phase is recorded as finished, also while the ShadowPod is
 * being deleted. Metadata reaches the pod, changes of the spec do not. The garbage collector ends pods.
 */
export class LiqoShadowPodController implements AsyncDisposable {
  /** `<namespace>/<name>` of each pod that was created. */
  readonly madePods: string[] = [];
  readonly #client: Client;
  readonly #shadowPods: Informer<ShadowPod>;
  readonly #pods: Informer<Pod>;
  readonly #controller: AsyncDisposable;

  constructor(client: Client) {
    const common = { client, clock: systemClock, random: systemRandom, log: silentLogger };
    this.#client = client;
    this.#shadowPods = startInformer({ ...common, kind: ShadowPod });
    this.#pods = startInformer({ ...common, kind: Pod });
    this.#controller = startController({
      ...common,
      name: 'liqo-shadowpod',
      concurrency: 10,
      sources: [primary(this.#shadowPods), mapped(this.#pods, (pod) => [keyOf(pod)])],
      reconcile: (key) => this.#reconcile(key),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#shadowPods[Symbol.asyncDispose]();
    await this.#pods[Symbol.asyncDispose]();
  }

  async #reconcile(key: ObjectKey): Promise<Outcome> {
    const shadowPod = this.#shadowPods.get(key);
    const phase = shadowPod?.status?.phase;
    if (!shadowPod || phase === 'Succeeded' || phase === 'Failed') return done;
    const pod = this.#pods.get(key);
    try {
      if (pod) await this.#follow(shadowPod, pod);
      else await this.#create(shadowPod);
    } catch (error) {
      if (!isNotFound(error) && !isAlreadyExists(error)) throw error;
    }
    return done;
  }

  async #create(shadowPod: Stored<ShadowPod>): Promise<void> {
    const { name, namespace, uid } = shadowPod.metadata;
    const owner = { apiVersion: apiVersionOf(ShadowPod), kind: ShadowPod.kind, name, uid };
    await this.#client.create(Pod, {
      metadata: {
        name,
        ...(namespace !== undefined && { namespace }),
        ...metadataOf(shadowPod),
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec: shadowPod.spec.pod ?? { containers: [] },
    });
    this.madePods.push(`${namespace}/${name}`);
  }

  async #follow(shadowPod: Stored<ShadowPod>, pod: Stored<Pod>): Promise<void> {
    const key = keyOf(shadowPod);
    const wanted = metadataOf(shadowPod);
    const metadata = {
      labels: { ...pod.metadata.labels, ...wanted.labels },
      annotations: { ...pod.metadata.annotations, ...wanted.annotations },
    };
    const { labels: current = {}, annotations = {} } = pod.metadata;
    if (!deepEqual(metadata, { labels: current, annotations })) {
      await this.#client.patch(Pod, key, mergePatch({ metadata }));
    }
    const { phase } = pod.status ?? {};
    if (phase === undefined || phase === shadowPod.status?.phase) return;
    const status = mergePatch({ status: { phase } });
    await this.#client.patch(ShadowPod, key, status, { subresource: 'status' });
  }
}

function metadataOf({ metadata }: Stored<ShadowPod>) {
  return {
    labels: { ...metadata.labels, [labels.managedBy]: labelValues.managedByShadowPod },
    annotations: { ...metadata.annotations },
  };
}
