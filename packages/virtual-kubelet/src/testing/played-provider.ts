import { annotations, finalizers, ShadowPod } from '@liqo/api';
import {
  type Client,
  isAlreadyExists,
  isConflict,
  isNotFound,
  keyOf,
  mergePatch,
  Namespace,
  Pod,
  type Stored,
} from '@liqo/kube';
import { defaultPodPolicy, nextShadowPodPhase, planPod } from '@liqo/model';

const start = '2030-01-01T00:00:00Z';

/** The controllers and nodes of a provider, one look at a time: shadow pods get pods, pods run, orphans go. */
export class PlayedProvider {
  /** Its controllers are down. */
  rests = false;
  /** As ours does; a provider that runs Liqo does not. */
  holdsShadowPods = true;
  /** Pods that are asked to end do not: their node is slow. */
  holdsPods = false;
  /** How long each pod was given to end, by name. */
  readonly graces = new Map<string, number>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async act(): Promise<void> {
    if (this.rests) return;
    const [shadowPods, pods] = await Promise.all([
      this.#client.list(ShadowPod),
      this.#client.list(Pod),
    ]);
    for (const pod of pods.items) await this.#collect(pod, shadowPods.items).catch(overtaken);
    for (const shadowPod of shadowPods.items) await this.#follow(shadowPod).catch(overtaken);
  }

  /** The container of a pod has ended by itself. */
  async finish(namespace: string, name: string, phase: 'Failed' | 'Succeeded'): Promise<void> {
    const terminated = {
      exitCode: phase === 'Failed' ? 1 : 0,
      startedAt: start,
      finishedAt: start,
    };
    await this.#say({ namespace, name }, { phase, ...container({ terminated }, false) });
  }

  async #follow(shadowPod: Stored<ShadowPod>): Promise<void> {
    const key = keyOf(shadowPod);
    const pod = await this.#client.get(Pod, key);
    if (shadowPod.metadata.deletionTimestamp !== undefined) return this.#end(shadowPod, pod);
    const phase = nextShadowPodPhase(shadowPod, pod);
    if (phase) await this.#record(key, phase);
    const namespace = (await this.#client.get(Namespace, { name: key.namespace ?? '' })) ?? {};
    const step = planPod(shadowPod, pod, { namespace, policy: defaultPodPolicy });
    if (step.type === 'create') {
      await this.#client.create(Pod, onNode(step.pod));
      await this.#say(key, { phase: 'Running', startTime: start, ...container(running, true) });
      if (this.holdsShadowPods) await this.#hold(shadowPod, [finalizers.shadowPod]);
    }
    if (step.type === 'update') await this.#client.update(Pod, step.pod);
    if (step.type === 'delete') await this.#remove(step.pod);
  }

  /** Ends the pod of a ShadowPod that it holds, and then lets the ShadowPod go. */
  async #end({ metadata }: Stored<ShadowPod>, pod: Stored<Pod> | undefined): Promise<void> {
    const asked = metadata.annotations?.[annotations.deletionGracePeriodSeconds];
    if (asked !== undefined) this.graces.set(metadata.name, Number(asked));
    const isOwned = pod?.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid);
    if (pod && isOwned) await this.#remove(pod);
    if (this.holdsPods && isOwned) return;
    await this.#hold({ metadata }, []);
  }

  async #hold({ metadata }: Pick<Stored<ShadowPod>, 'metadata'>, names: string[]): Promise<void> {
    const { name, namespace } = metadata;
    const patch = mergePatch({ metadata: { finalizers: names } });
    await this.#client.patch(ShadowPod, { name, namespace }, patch);
  }

  async #collect(pod: Stored<Pod>, owners: readonly Stored<ShadowPod>[]): Promise<void> {
    const uids = (pod.metadata.ownerReferences ?? []).map(({ uid }) => uid);
    if (uids.length === 0) return;
    const isOrphan = !owners.some(({ metadata }) => uids.includes(metadata.uid));
    if (isOrphan || pod.metadata.deletionTimestamp !== undefined) await this.#remove(pod);
  }

  async #remove(pod: Stored<Pod>): Promise<void> {
    if (this.holdsPods) return;
    const preconditions = { uid: pod.metadata.uid };
    const options = { gracePeriodSeconds: 0, preconditions };
    await this.#client.delete(Pod, keyOf(pod), options);
  }

  async #record(key: ReturnType<typeof keyOf>, phase: string): Promise<void> {
    const patch = mergePatch({ status: { phase } });
    await this.#client.patch(ShadowPod, key, patch, { subresource: 'status' });
  }

  async #say(key: ReturnType<typeof keyOf>, status: object): Promise<void> {
    const patch = mergePatch({
      status: { podIP: '10.1.0.9', podIPs: [{ ip: '10.1.0.9' }], ...status },
    });
    await this.#client.patch(Pod, key, patch, { subresource: 'status' });
  }
}

/** Somebody changed or removed it first: the next look will see. */
function overtaken(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error) && !isAlreadyExists(error)) throw error;
}

function onNode(pod: Pod): Pod {
  return { ...pod, spec: { containers: [], ...pod.spec, nodeName: 'machine' } };
}

const running = { running: { startedAt: start } };

function container(state: object, ready: boolean): object {
  const status = { name: 'main', image: 'i', imageID: '', restartCount: 0, ready, state };
  const flag = ready ? 'True' : 'False';
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: flag }));
  return { containerStatuses: [status], conditions };
}
