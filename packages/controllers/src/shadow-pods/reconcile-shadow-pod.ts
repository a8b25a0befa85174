import { finalizers, ShadowPod } from '@liqo/api';
import {
  ApiError,
  type Client,
  type Clock,
  isAlreadyExists,
  isNotFound,
  keyOf,
  Namespace,
  type ObjectKey,
  Pod,
  parseTime,
  type Random,
  type Stored,
  strategicMergePatch,
} from '@liqo/kube';
import {
  debugPatch,
  denialMessage,
  deniedChange,
  isDenial,
  isFinished,
  nextShadowPodPhase,
  type PhaseDelays,
  type PhaseWait,
  type PodChange,
  type PodPolicy,
  type PodStep,
  phaseWait,
  planPod,
  resizePatch,
  spreadOver,
  type TenantLimits,
  tenantLimitReached,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  ensureFinalizer,
  hasFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import type { PodGate } from '../quotas/quota-gate.ts';
import { deletePod, endOrphan, endPod, isMadeFor } from './end-pod.ts';
import { Lately } from './lately.ts';
import type { Rush } from './rush.ts';
import { type TenantLoad, tenantLoad } from './tenant-load.ts';

interface Denial {
  readonly change: PodChange;
  readonly message: string;
}

interface ShadowPodWorld {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly phaseDelays: PhaseDelays;
  readonly tenantLimits: TenantLimits;
  readonly podPolicy: PodPolicy;
  readonly quotas: PodGate;
  /** Of pods of one consumer that are created or ended: what others do delays no phase of it. */
  readonly rushOf: (shadowPod: ObjectKey) => Rush;
  readonly events: EventRecorder;
  readonly shadowPods: Informer<ShadowPod>;
  readonly pods: Informer<Pod>;
  readonly namespaces: CachedReader<Namespace>;
}

type Status = NonNullable<ShadowPod['status']>;

/** Quotas are freed and policies changed without anybody telling us. */
const refusedMs = 30_000;
/** A pod that waits for room is created as soon as there is some: only the figures in its message are brought up to date. */
const noRoomMs = 300_000;
/** For so long nobody asks whether a ShadowPod is still wanted before its first pod is made. */
const newForMs = 10_000;
/** Most pods take less to end; after those that take longer the server is asked. */
const endingForMs = 120_000;

export class ShadowPodReconciler {
  readonly #world: ShadowPodWorld;
  /** The UIDs of ShadowPods whose pods were made. */
  readonly #made: Lately;
  /** The UIDs of ShadowPods whose pods the cache shows while they end. */
  readonly #ending: Lately;

  constructor(world: ShadowPodWorld) {
    this.#world = world;
    this.#made = new Lately(world.clock, newForMs);
    this.#ending = new Lately(world.clock, endingForMs);
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { shadowPods, pods, quotas } = this.#world;
    quotas.forget(key);
    const shadowPod = shadowPods.get(key);
    const pod = pods.get(key);
    if (!shadowPod) {
      if (pod) await endOrphan(this.#world.client, pod, run.signal);
      return this.#letGo(pod, run);
    }
    const phase = this.#phaseWait(shadowPod, pod);
    const recorded = phase.dueInMs > 0 ? shadowPod : await this.#recordPhase(shadowPod, pod, run);
    if (!recorded) return this.#letGo(pod, run);
    const isWanted = recorded.metadata.deletionTimestamp === undefined;
    const mayEndInMs = isWanted ? endsWithinMs(pod, this.#world.clock.now()) : 0;
    if (mayEndInMs > 0) return requeueAfter(mayEndInMs, 'waiting to learn how the pod ends');
    await this.#letGo(pod, run);
    if (!isWanted) {
      if (pod && pod.metadata.deletionTimestamp === undefined) this.#world.rushOf(key).note();
      const { client } = this.#world;
      await endPod({ client, ending: this.#ending }, recorded, pod, run.signal);
      return done;
    }
    const held = this.#isHoldDue(recorded, pod) ? await this.#hold(recorded, run) : recorded;
    if (!held) return requeueAfter(1_000, 'waiting for the cache to show that the ShadowPod goes');
    const outcome = await this.#bring(held, pod, run);
    if (phase.dueInMs === 0 || outcome.type !== 'done') return outcome;
    const againMs = spreadOver(phase.delayMs / 2, phase.dueInMs, this.#world.random);
    return requeueAfter(againMs, 'delaying the phase of the pod');
  }

  /**
   * A pod that runs may need time to end: its ShadowPod stays until then, so that the consumer can ask for a shorter grace
   * period. In a burst that is one write too many, and waits until the phase has been recorded.
   */
  #isHoldDue(shadowPod: Stored<ShadowPod>, pod: Stored<Pod> | undefined): boolean {
    const isRunning = pod?.status?.phase === 'Running' && isMadeFor(shadowPod, pod);
    const isHeld = hasFinalizer(shadowPod, finalizers.shadowPod);
    const { isOn } = this.#world.rushOf(keyOf(shadowPod));
    const isBurst = isOn && shadowPod.status?.phase === undefined;
    return isRunning && !isHeld && !isBurst;
  }

  /** Undefined when the ShadowPod is gone or going. */
  async #hold(
    shadowPod: Stored<ShadowPod>,
    run: ReconcileContext,
  ): Promise<Stored<ShadowPod> | undefined> {
    const { client, shadowPods } = this.#world;
    const name = finalizers.shadowPod;
    const held = await ensureFinalizer(client, ShadowPod, shadowPod, name, run.signal);
    if (held) run.wrote(shadowPods, held);
    return held;
  }

  #phaseWait(shadowPod: Stored<ShadowPod>, pod: Stored<Pod> | undefined): PhaseWait {
    const { clock, phaseDelays: delays, rushOf } = this.#world;
    const { isOn: isBurst } = rushOf(keyOf(shadowPod));
    return phaseWait(shadowPod, pod, { delays, isBurst, nowMs: clock.now() });
  }

  /**
   * Takes the next step. A change of the pod that the API server denies holds up no other change: it is reported and tried
   * again later.
   */
  async #bring(
    shadowPod: Stored<ShadowPod>,
    pod: Stored<Pod> | undefined,
    run: ReconcileContext,
  ): Promise<Outcome> {
    const denials: Denial[] = [];
    for (;;) {
      const denied = denials.map(({ change }) => change);
      const step = await this.#plan(shadowPod, pod, run.signal, denied);
      try {
        const outcome = await this.#take(step, shadowPod, run);
        if (step.type !== 'leave' && step.type !== 'update') return outcome;
        return this.#reportDenials(denials, shadowPod, run);
      } catch (error) {
        const isDenied = isDenial(error) || error instanceof QuotaDenial;
        if (!('change' in step) || !isDenied) throw error;
        const { change } = step;
        const message = denialMessage(change, step.pod.metadata.name, reasonOf(error));
        denials.push({ change, message });
      }
    }
  }

  /** A reason that was reported before goes once nothing is denied any more. */
  async #reportDenials(
    denials: readonly Denial[],
    shadowPod: Stored<ShadowPod>,
    run: ReconcileContext,
  ): Promise<Outcome> {
    if (denials.length > 0) {
      const message = denials.map((one) => one.message).join('; ');
      return this.#refuse(shadowPod, deniedChange, message, run);
    }
    const { phase, reason } = shadowPod.status ?? {};
    if (phase && reason === deniedChange) await this.#writeStatus(shadowPod, { phase }, run);
    return done;
  }

  /** A namespace that was made a moment ago is not in the cache: a refusal is never based on that. */
  async #plan(
    shadowPod: Stored<ShadowPod>,
    pod: Stored<Pod> | undefined,
    signal: AbortSignal,
    denied: readonly PodChange[] = [],
  ): Promise<PodStep> {
    const { client, namespaces, podPolicy } = this.#world;
    const key = { name: shadowPod.metadata.namespace ?? '' };
    const planIn = (namespace: Namespace = {}) =>
      planPod(shadowPod, pod, { namespace, policy: podPolicy }, denied);
    const step = planIn(namespaces.get(key));
    if (step.type !== 'refuse' || step.reason !== 'OriginMismatch') return step;
    return planIn(await client.get(Namespace, key, signal));
  }

  async #take(
    step: PodStep,
    shadowPod: Stored<ShadowPod>,
    run: ReconcileContext,
  ): Promise<Outcome> {
    const { client, pods } = this.#world;
    const { signal } = run;
    switch (step.type) {
      case 'create':
        return this.#create(withFinalizerIfOnce(step.pod), shadowPod, run);
      case 'update':
        run.wrote(pods, await client.update(Pod, step.pod, signal));
        return done;
      case 'resize':
        run.wrote(pods, await this.#resizeWithin(shadowPod, step.pod, signal));
        return done;
      case 'debug':
        run.wrote(pods, await this.#debug(step.pod, signal));
        return done;
      case 'delete':
        await deletePod(client, step.pod, undefined, signal);
        return done;
      case 'refuse':
        return this.#refuse(shadowPod, step.reason, step.message, run);
      default:
        return done;
    }
  }

  async #create(pod: Pod, shadowPod: Stored<ShadowPod>, run: ReconcileContext): Promise<Outcome> {
    const { client, pods, quotas } = this.#world;
    // Whoever had the name may still have it: to look is no write.
    const wasTaken = shadowPod.status?.reason === 'NameTaken';
    const rival = wasTaken ? await client.get(Pod, keyOf(shadowPod), run.signal) : undefined;
    if (rival) return this.#settleWith(rival, shadowPod, run);
    const { pods: limit } = this.#world.tenantLimits;
    const load = tenantLoad(shadowPod, this.#world);
    if (load.pods >= limit) {
      const message = `The provider runs at most ${limit} pods for this consumer: this one is made when another has ended`;
      return this.#refuse(shadowPod, tenantLimitReached, message, run, retryMs(load));
    }
    if (!(await this.#isStillWanted(shadowPod, run.signal))) {
      return requeueAfter(1_000, 'waiting for the cache to show that the ShadowPod goes');
    }
    try {
      const send = () => client.create(Pod, pod, run.signal);
      const isNew = !this.#hadPod(shadowPod);
      const result = await quotas.write({ shadowPod, pod, isNew, send });
      if (result.type === 'refused') {
        return this.#refuse(shadowPod, result.reason, result.message, run, noRoomMs);
      }
      run.wrote(pods, result.pod);
      this.#made.note(shadowPod.metadata.uid);
      this.#world.rushOf(keyOf(shadowPod)).note();
      return done;
    } catch (error) {
      if (isAlreadyExists(error)) return this.#lookAtRival(shadowPod, run);
      if (!isDenial(error)) throw error;
      return this.#refuse(shadowPod, 'FailedCreatePod', reasonOf(error), run);
    }
  }

  /** One whose pod is gone may go itself, and our cache be behind: what was made for it would be removed, or run again. */
  async #isStillWanted({ metadata }: Stored<ShadowPod>, signal: AbortSignal): Promise<boolean> {
    const { client, clock } = this.#world;
    const { namespace, name, uid } = metadata;
    const isNew = clock.now() - parseTime(metadata.creationTimestamp) < newForMs;
    if (isNew && !this.#made.has(uid)) return true;
    const live = await client.get(ShadowPod, { namespace, name }, signal);
    return live?.metadata.uid === uid && live.metadata.deletionTimestamp === undefined;
  }

  /** Also true of one that waits to have its pod again: it was let in when it was new. */
  #hadPod({ metadata, status }: Stored<ShadowPod>): boolean {
    const { phase = 'Unknown' } = status ?? {};
    return phase !== 'Unknown' || this.#made.has(metadata.uid);
  }

  async #lookAtRival(shadowPod: Stored<ShadowPod>, run: ReconcileContext): Promise<Outcome> {
    const rival = await this.#world.client.get(Pod, keyOf(shadowPod), run.signal);
    return this.#settleWith(rival, shadowPod, run);
  }

  /** A pod that our cache does not show: it is behind, or the pod has lost our label, or it is not one of ours. */
  async #settleWith(
    rival: Stored<Pod> | undefined,
    shadowPod: Stored<ShadowPod>,
    run: ReconcileContext,
  ): Promise<Outcome> {
    const isOwn = rival !== undefined && isMadeFor(shadowPod, rival);
    this.#world.quotas.settle(shadowPod, isOwn ? rival : undefined);
    const step = await this.#plan(shadowPod, rival, run.signal);
    if (!rival || step.type === 'create' || step.type === 'leave' || step.type === 'wait') {
      return requeueAfter(1_000, 'waiting for the cache to show the pod');
    }
    return this.#take(step, shadowPod, run);
  }

  /** Undefined when there is nothing left to write it on. */
  async #recordPhase(
    shadowPod: Stored<ShadowPod>,
    pod: Stored<Pod> | undefined,
    run: ReconcileContext,
  ): Promise<Stored<ShadowPod> | undefined> {
    const phase = nextShadowPodPhase(shadowPod, pod);
    if (phase === undefined) return shadowPod;
    try {
      return await this.#writeStatus(shadowPod, { phase }, run);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #refuse(
    shadowPod: Stored<ShadowPod>,
    reason: string,
    message: string,
    run: ReconcileContext,
    againMs = refusedMs,
  ): Promise<Outcome> {
    this.#world.events.record({
      regarding: shadowPod,
      type: 'Warning',
      reason,
      action: reason === deniedChange ? 'Updating' : 'Creating',
      note: message,
    });
    const phase = shadowPod.status?.phase ?? 'Unknown';
    await this.#writeStatus(shadowPod, { phase, reason, message }, run);
    return requeueAfter(againMs, message);
  }

  async #writeStatus(
    shadowPod: Stored<ShadowPod>,
    status: Status,
    run: ReconcileContext,
  ): Promise<Stored<ShadowPod>> {
    const { client, shadowPods } = this.#world;
    const written = await writeStatus(client, ShadowPod, shadowPod, status, run.signal);
    if (written !== shadowPod) run.wrote(shadowPods, written);
    return written;
  }

  /** How it ended is known now, or nobody wants to know any more. */
  async #letGo(pod: Stored<Pod> | undefined, { signal }: ReconcileContext): Promise<Outcome> {
    if (pod?.metadata.deletionTimestamp === undefined) return done;
    if (hasFinalizer(pod, finalizers.shadowPod)) {
      await removeFinalizer(this.#world.client, Pod, pod, finalizers.shadowPod, signal);
    }
    return done;
  }

  #debug(pod: Stored<Pod>, signal: AbortSignal): Promise<Stored<Pod>> {
    const patch = strategicMergePatch(debugPatch(pod));
    const options = { subresource: 'ephemeralcontainers', signal } as const;
    return this.#world.client.patch(Pod, keyOf(pod), patch, options);
  }

  async #resizeWithin(
    shadowPod: Stored<ShadowPod>,
    pod: Stored<Pod>,
    signal: AbortSignal,
  ): Promise<Stored<Pod>> {
    const send = () => this.#resize(pod, signal);
    const result = await this.#world.quotas.write({ shadowPod, pod, isNew: false, send });
    if (result.type === 'refused') throw new QuotaDenial(result.message);
    return result.pod;
  }

  #resize(pod: Stored<Pod>, signal: AbortSignal): Promise<Stored<Pod>> {
    const patch = strategicMergePatch(resizePatch(pod));
    return this.#world.client.patch(Pod, keyOf(pod), patch, { subresource: 'resize', signal });
  }
}

/** A consumer with many ShadowPods beyond the limit has no more of them looked at in a second than one with few. */
function retryMs({ pods, shadowPods }: TenantLoad): number {
  return Math.max(refusedMs, (shadowPods - pods) * 30);
}

/** A machine that has not said by then how a pod ended is not waited for. */
const silenceMs = 30_000;

/** For how long a pod that is deleted may still say how it ended: not at all when it has, or when it never ran. */
function endsWithinMs(pod: Stored<Pod> | undefined, nowMs: number): number {
  if (!pod || !hasFinalizer(pod, finalizers.shadowPod)) return 0;
  const { deletionTimestamp } = pod.metadata;
  const isOver = pod.spec?.nodeName === undefined || isFinished(pod.status?.phase);
  if (deletionTimestamp === undefined || isOver) return 0;
  return Math.max(parseTime(deletionTimestamp) + silenceMs - nowMs, 0);
}

/** A pod that may run again and again needs no record of how it ended. */
function withFinalizerIfOnce(pod: Pod): Pod {
  const { restartPolicy = 'Always' } = pod.spec ?? {};
  if (restartPolicy === 'Always') return pod;
  return { ...pod, metadata: { ...pod.metadata, finalizers: [finalizers.shadowPod] } };
}

/** A change that the quota of the consumer has no room for. */
class QuotaDenial extends Error {
  override readonly name = 'QuotaDenial';
}

function reasonOf(error: unknown): string {
  const isReadable = error instanceof ApiError || error instanceof QuotaDenial;
  return isReadable ? error.message : String(error);
}
