import { ShadowPod } from '@liqo/api';
import type { ObjectKey, Stored } from '@liqo/kube';
import {
  denialProblem,
  type ForgedShadowPod,
  forgeShadowPod,
  isDenial,
  type OffloadProblem,
  updateShadowPodWithoutResize,
} from '@liqo/model';
import type { BackoffPolicy, ReconcileContext } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import { type Denial, Denials } from './denials.ts';
import type { OffloadedPod } from './reconcile-pod.ts';

/** Quotas are freed and policies changed without an event to us. */
const createBackoff: BackoffPolicy = { firstMs: 1_000, longestMs: 30_000 };
/** What Liqo's webhook denies once, it denies always. */
const updateBackoff: BackoffPolicy = { firstMs: 1_000, longestMs: 300_000 };

/** Writes ShadowPods. A write that the provider denies is reported as an Event, and repeated with back-off. */
export class ShadowPodSender {
  readonly #context: Pick<KubeletContext, 'events'>;
  readonly #denials: Denials;

  constructor(context: Pick<KubeletContext, 'clock' | 'random' | 'events'>) {
    this.#context = context;
    this.#denials = new Denials(context.clock, context.random);
  }

  /** The denial of an earlier attempt, while the ShadowPod must not be created again. */
  deniedCreate({ local }: OffloadedPod, shadowPod: ForgedShadowPod): Denial | undefined {
    return this.#denials.find(local.metadata, shadowPod);
  }

  /** No attempt is to be remembered for a pod that has nothing to be written, or is gone. */
  forget(pod: ObjectKey): void {
    this.#denials.forget(pod);
  }

  /** Gives back the denial, if there is one. Every other answer is thrown. */
  async create(
    shadowPod: ForgedShadowPod,
    pod: OffloadedPod,
    run: ReconcileContext,
  ): Promise<Denial | undefined> {
    const { session, remote, local } = pod;
    try {
      run.wrote(remote.shadowPods, await session.client.create(ShadowPod, shadowPod, run.signal));
    } catch (error) {
      return this.#deny('create', shadowPod, pod, error);
    }
    this.forget(local.metadata);
    return undefined;
  }

  /**
   * Sends the update, and what of it every provider accepts when the whole is denied. Gives back the denial of the whole
   * update, if there is one.
   */
  async update(
    shadowPod: Stored<ShadowPod>,
    current: Stored<ShadowPod>,
    pod: OffloadedPod,
    run: ReconcileContext,
  ): Promise<Denial | undefined> {
    const denial = await this.#update(shadowPod, pod, run);
    if (!denial) {
      this.forget(pod.local.metadata);
      return undefined;
    }
    const lesser = updateShadowPodWithoutResize(current, forgeShadowPod(pod.local, pod.route));
    if (lesser) await this.#update(lesser, pod, run);
    return denial;
  }

  async #update(
    shadowPod: Stored<ShadowPod>,
    pod: OffloadedPod,
    run: ReconcileContext,
  ): Promise<Denial | undefined> {
    const { session, remote, local } = pod;
    const earlier = this.#denials.find(local.metadata, shadowPod);
    if (earlier) return earlier;
    try {
      run.wrote(remote.shadowPods, await session.client.update(ShadowPod, shadowPod, run.signal));
      return undefined;
    } catch (error) {
      return this.#deny('update', shadowPod, pod, error);
    }
  }

  #deny(
    write: 'create' | 'update',
    shadowPod: ShadowPod,
    { local, route }: OffloadedPod,
    error: unknown,
  ): Denial {
    if (!isDenial(error)) throw error;
    const problem = denialProblem(local, route, write, error);
    this.#record(local, problem);
    const backoff = write === 'create' ? createBackoff : updateBackoff;
    return this.#denials.add(local.metadata, shadowPod, problem, backoff);
  }

  #record(regarding: OffloadedPod['local'], { reason, message: note }: OffloadProblem): void {
    const action = 'Offloading';
    this.#context.events.record({ regarding, type: 'Warning', reason, action, note });
  }
}
