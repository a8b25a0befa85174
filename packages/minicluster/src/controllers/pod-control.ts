import type { KubeObject, Pod, Stored } from '@liqo/kube';
import { createInBatches } from './create-in-batches.ts';
import type { ControllerEvents } from './events/event-recorder.ts';
import type { Informer } from './informer.ts';
import { isNamespaceTerminating } from './is-namespace-terminating.ts';
import { messageOf } from './message-of.ts';

/** Makes and removes the pods of an owner, and says so in events of the owner. */
export class PodControl {
  readonly #pods: Informer<Pod>;
  readonly #events: ControllerEvents;

  constructor(pods: Informer<Pod>, events: ControllerEvents) {
    this.#pods = pods;
    this.#events = events;
  }

  /** So many pods; none, and no failure, if the namespace is being deleted. */
  async createMany(
    count: number,
    forge: (position: number) => Pod,
    owner: Stored<KubeObject>,
  ): Promise<void> {
    await createInBatches(count, async (position) => {
      try {
        await this.create(forge(position), owner);
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
  }

  async create(pod: Pod, owner: Stored<KubeObject>): Promise<void> {
    try {
      const { metadata } = await this.#pods.create(pod);
      this.#events.normal(owner, 'SuccessfulCreate', `Created pod: ${metadata.name}`);
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        this.#events.warning(owner, 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** Fails with the words that kube-controller-manager puts into conditions. */
  async delete(pod: Stored<Pod>, owner: Stored<KubeObject>): Promise<void> {
    try {
      const wasThere = await this.#pods.delete(pod);
      if (!wasThere) return;
      this.#events.normal(owner, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    } catch (error) {
      const fact = messageOf(error);
      this.#events.warning(owner, 'FailedDelete', `Error deleting: ${fact}`);
      throw new Error(`unable to delete pods: ${fact}`, { cause: error });
    }
  }
}
