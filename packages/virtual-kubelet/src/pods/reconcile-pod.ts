import { annotations, finalizers, ShadowPod } from '@liqo/api';
import { isAlreadyExists, type ObjectKey, Pod, type Stored } from '@liqo/kube';
import {
  type EphemeralProblem,
  type ForgedShadowPod,
  holdOverdueInMs,
  isFinished,
  isTakenUp,
  type OffloadProblem,
  type PodRoute,
  planOrphan,
  planShadowPod,
  type RemoteTwins,
  readRemotePod,
  readRemoteShadowPod,
  type ShadowPodStep,
  spreadOver,
} from '@liqo/model';
import {
  confirmAbsent,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ProviderLink } from '../provider/provider-link.ts';
import type { ProviderSession } from '../provider/provider-session.ts';
import type { RemoteNamespace } from '../provider/remote-namespace.ts';
import { addEphemeralContainers } from './add-ephemeral-containers.ts';
import { deleteShadowPod } from './delete-shadow-pod.ts';
import type { Denial } from './denials.ts';
import type { LocalPodStatus } from './local-pod-status.ts';
import type { PodTokens } from './pod-tokens.ts';
import { releaseLocalPod } from './release-local-pod.ts';
import { ShadowPodSender } from './send-shadow-pod.ts';
import { settleUnmappedPod } from './settle-unmapped-pod.ts';
import type { Turns } from './turns.ts';

/** The connection to the provider, as far as pods need it. */
interface PodSession extends Pick<ProviderSession, 'client'> {
  readonly health: Pick<ProviderSession['health'], 'contact'>;
  readonly namespaces: Pick<ProviderSession['namespaces'], 'of'>;
}

interface PodLink extends Pick<ProviderLink, 'contact' | 'virtualNode'> {
  readonly session: PodSession | undefined;
}

export interface PodWorld {
  readonly context: KubeletContext;
  /** Those that are bound to the node. */
  readonly pods: Informer<Pod>;
  readonly link: PodLink;
  readonly status: LocalPodStatus;
  readonly tokens: PodTokens;
  /** To start at the provider, and to end there. */
  readonly turns: { readonly start: Turns; readonly end: Turns };
  /** How pods at the provider reach the API server here; absent when they may not. */
  readonly consumerApiServer?: PodRoute['consumerApiServer'];
  /** Keys that stay at home, besides those that the VirtualNode names. */
  readonly notReflected: NotReflected;
}

interface NotReflected {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

/** One pod of the virtual node and the way it takes. */
export interface OffloadedPod {
  readonly local: Stored<Pod>;
  readonly route: PodRoute;
  readonly session: PodSession;
  readonly remote: RemoteNamespace;
}

/** Nobody tells us when somebody else's object goes. */
const strangerMs = 30_000;
const lookAgainMs = 5_000;
/** A policy of the provider may change without an event for us. */
const deniedMs = 30_000;

/** What a step has led to. */
interface Attempt {
  readonly outcome: Outcome;
  /** Why the provider does not have the pod as it is here. */
  readonly problem?: OffloadProblem;
  /** Why the pod at the provider has not got the ephemeral containers. */
  readonly ephemeralProblem?: EphemeralProblem;
  /** What the step threw. */
  readonly error?: unknown;
}

/** Brings one pod of the virtual node to the provider, its state back, and takes it away when it is deleted. */
export class PodReconciler {
  readonly #world: PodWorld;
  readonly #sender: ShadowPodSender;

  constructor(world: PodWorld) {
    this.#world = world;
    this.#sender = new ShadowPodSender(world.context);
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { pods, link } = this.#world;
    const { session } = link;
    const known = pods.get(key);
    const isLost = known && link.contact === 'lost';
    const local = isLost ? await this.#world.status.sayUnreachable(known, run) : known;
    if (!session) return done;
    const remote = session.namespaces.of(key.namespace ?? '');
    if (!local) this.#world.turns.end.over(key);
    if (!local || !remote) {
      this.#leave(key);
      this.#sender.forget(key);
    }
    if (local && !remote) return settleUnmappedPod(this.#world, local, run);
    if (!remote?.hasSynced) return done;
    const route = this.#routeTo(remote);
    if (!local) return this.#removeOrphan(key, { route, session, remote }, run);
    return this.#follow({ local, route, session, remote }, run);
  }

  async #follow(pod: OffloadedPod, run: ReconcileContext): Promise<Outcome> {
    const twins = cachedTwins(pod);
    const step = planShadowPod(pod.local, twins, pod.route);
    if (step.type === 'create' && !pod.remote.isWanted) {
      return settleUnmappedPod(this.#world, pod.local, run);
    }
    const attempt = await this.#attempt(step, pod, twins, run);
    const { outcome, problem, ephemeralProblem, error } = attempt;
    const { status } = this.#world;
    // Whatever becomes of the spec: the status of the pod is reflected.
    const reflected = { ...pod, ...(problem && { problem }) };
    const mayWaitMs = isObserved(pod.local, twins)
      ? await status.reflect(reflected, twins, run, ephemeralProblem)
      : 0;
    if (error !== undefined) throw error;
    if (mayWaitMs === 0) return outcome;
    const againMs = spreadOver(1_000, mayWaitMs, this.#world.context.random);
    const reason = 'waiting for the pod to say more than that it has begun';
    return soonest(outcome, requeueAfter(againMs, reason));
  }

  /** Takes the step, and keeps what it throws. */
  async #attempt(
    step: ShadowPodStep,
    pod: OffloadedPod,
    twins: RemoteTwins,
    run: ReconcileContext,
  ): Promise<Attempt> {
    if (step.type !== 'create' && step.type !== 'update') this.#sender.forget(pod.local.metadata);
    try {
      const earlier = step.type === 'create' && this.#sender.deniedCreate(pod, step.shadowPod);
      if (earlier) return await this.#sayDenied(earlier, pod, twins, run);
      if (!this.#isTurn(step, pod.local, twins)) return { outcome: done };
      const renewal = await this.#renewTokens(step, pod, twins, run);
      const { outcome, ...attempt } = await this.#take(step, pod, twins, run);
      const ephemeralProblem = await addEphemeralContainers(pod, twins, run);
      const again = ephemeralProblem ? requeueAfter(deniedMs, ephemeralProblem.message) : done;
      return {
        ...attempt,
        ...(ephemeralProblem && { ephemeralProblem }),
        outcome: soonest(soonest(outcome, renewal), again),
      };
    } catch (error) {
      return { outcome: done, error };
    }
  }

  /** Whoever wants nothing of the provider needs no turn, and who is known here to have what it wanted none any more. */
  #isTurn({ type }: ShadowPodStep, local: Stored<Pod>, { shadowPod, pod }: RemoteTwins): boolean {
    const { metadata } = local;
    const { start, end } = this.#world.turns;
    if (type === 'create') return start.take(metadata);
    if (type === 'delete') return end.take(metadata);
    if (type === 'release') {
      start.leave(metadata);
      end.finished(metadata);
      return true;
    }
    if (type === 'wait' && pod?.metadata.deletionTimestamp !== undefined) end.begun(metadata);
    const isExpected = shadowPod !== undefined && shadowPod.status?.reason === undefined;
    if (pod && isTakenUp(pod)) this.#noteStart(local, pod);
    else if (!isExpected && type !== 'wait') this.#leave(metadata);
    return true;
  }

  /** That a pod runs is news until it is known here; that it is only begun with may stay unsaid for long. */
  #noteStart({ metadata, status }: Stored<Pod>, pod: Stored<Pod>): void {
    const { start } = this.#world.turns;
    const isNews = pod.status?.phase === 'Running' && status?.phase === 'Pending';
    if (isNews) start.finished(metadata);
    else start.over(metadata);
  }

  #leave(key: ObjectKey): void {
    const { start, end } = this.#world.turns;
    start.leave(key);
    end.leave(key);
  }

  #routeTo(remote: RemoteNamespace): PodRoute {
    const { context, link, consumerApiServer, notReflected } = this.#world;
    const { consumerClusterID, providerClusterID, virtualNode } = context;
    const {
      labelsNotReflected = [],
      annotationsNotReflected = [],
      ...patch
    } = link.virtualNode?.spec.offloadingPatch ?? {};
    return {
      consumerClusterID,
      providerClusterID,
      nodeName: virtualNode.name,
      remoteNamespace: remote.name,
      offloadingPatch: {
        ...patch,
        labelsNotReflected: [...labelsNotReflected, ...notReflected.labels],
        annotationsNotReflected: [...annotationsNotReflected, ...notReflected.annotations],
      },
      ...(consumerApiServer && { consumerApiServer }),
    };
  }

  /** Before the pod starts over there, and for as long as it is wanted. */
  async #renewTokens(
    { type }: ShadowPodStep,
    pod: OffloadedPod,
    { shadowPod }: RemoteTwins,
    run: ReconcileContext,
  ): Promise<Outcome> {
    const { tokens, consumerApiServer } = this.#world;
    const isWanted = type === 'create' || type === 'update' || type === 'leave';
    if (!consumerApiServer || !isWanted || isFinished(pod.local.status?.phase)) return done;
    const againMs = await tokens.ensure(pod, shadowPod, run);
    return againMs === undefined ? done : requeueAfter(Math.max(againMs, 0), 'renewing tokens');
  }

  async #take(
    step: ShadowPodStep,
    pod: OffloadedPod,
    twins: RemoteTwins,
    run: ReconcileContext,
  ): Promise<Attempt> {
    const { local, session } = pod;
    switch (step.type) {
      case 'create':
        return this.#create(step.shadowPod, pod, twins, run);
      case 'update':
        return this.#update(step.shadowPod, pod, twins, run);
      case 'delete':
        await deleteShadowPod(session.client, step.shadowPod, local, run.signal);
        return { outcome: requeueAfter(lookAgainMs, 'waiting for the provider to end the pod') };
      case 'release':
        return { outcome: await this.#release(pod, run) };
      case 'wait':
        await this.#releaseHold(pod, twins, run);
        return {
          outcome: requeueAfter(lookAgainMs, 'waiting for something at the provider to be gone'),
        };
      case 'refuse':
        await this.#world.status.sayWaiting(local, step.reason, step.message, run);
        return { outcome: requeueAfter(strangerMs, step.message) };
      case 'leave':
        return { outcome: done };
    }
  }

  async #create(
    wanted: ForgedShadowPod,
    pod: OffloadedPod,
    twins: RemoteTwins,
    run: ReconcileContext,
  ): Promise<Attempt> {
    const { local } = pod;
    // Whoever had the name may still have it: to look is no write.
    const wasTaken = local.status?.reason === 'NameTaken';
    const taken = wasTaken ? await planLive(pod, run.signal) : undefined;
    if (taken?.type === 'refuse') return this.#take(taken, pod, twins, run);
    try {
      const denial = await this.#sender.create(wanted, pod, run);
      return denial ? await this.#sayDenied(denial, pod, twins, run) : { outcome: done };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const live = await planLive(pod, run.signal);
    if (live.type === 'create') return { outcome: requeueAfter(0, 'what was in the way is gone') };
    return this.#take(live, pod, twins, run);
  }

  /** A pod that the provider denies holds no other one up. */
  async #sayDenied(
    { problem, retryInMs }: Denial,
    pod: OffloadedPod,
    twins: RemoteTwins,
    run: ReconcileContext,
  ): Promise<Attempt> {
    this.#leave(pod.local.metadata);
    await this.#world.status.sayDenied({ ...pod, problem }, twins, run);
    return { outcome: requeueAfter(retryInMs, problem.message), problem };
  }

  async #update(
    wanted: Stored<ShadowPod>,
    pod: OffloadedPod,
    twins: RemoteTwins,
    run: ReconcileContext,
  ): Promise<Attempt> {
    const denial = await this.#sender.update(wanted, twins.shadowPod ?? wanted, pod, run);
    if (!denial) return { outcome: done };
    const { problem, retryInMs } = denial;
    return { outcome: requeueAfter(retryInMs, problem.message), problem };
  }

  /** A finalizer of the provider's controller must not outlive that controller. */
  async #releaseHold(
    { session }: Pick<OffloadedPod, 'session'>,
    { shadowPod, pod }: RemoteTwins,
    { signal }: ReconcileContext,
  ): Promise<void> {
    const nowMs = this.#world.context.clock.now();
    if (!shadowPod || holdOverdueInMs(shadowPod, pod, nowMs) !== 0) return;
    await removeFinalizer(session.client, ShadowPod, shadowPod, finalizers.shadowPod, signal);
  }

  /** Whoever waits for the name of the pod starts a successor: the provider itself says first that nothing is left. */
  async #release(pod: OffloadedPod, run: ReconcileContext): Promise<Outcome> {
    const { local } = pod;
    const { signal } = run;
    const live = await planLive(pod, signal);
    if (live.type !== 'release') return requeueAfter(1_000, 'waiting for the cache to catch up');
    const { context, tokens, consumerApiServer, pods } = this.#world;
    if (consumerApiServer) await tokens.withdraw(pod, signal);
    await releaseLocalPod(context.local, local, signal);
    run.wrote(endOf(pods), local);
    return done;
  }

  /**
   * Not in our cache is not gone: the server itself says so before anything is removed over there. A pod of that name with
   * another UID, on whatever node, is not the one it was made for.
   */
  async #removeOrphan(
    key: ObjectKey,
    { route, session, remote }: Omit<OffloadedPod, 'local'>,
    run: ReconcileContext,
  ): Promise<Outcome> {
    const { context, tokens, consumerApiServer } = this.#world;
    const { signal } = run;
    if (consumerApiServer) await tokens.withdrawOrphaned(key, { session, remote }, signal);
    const remoteKey = { namespace: remote.name, name: key.name };
    const shadowPod = remote.shadowPods.get(remoteKey);
    const step = shadowPod && planOrphan(shadowPod, route);
    if (!shadowPod || !step || step.type === 'leave') return done;
    if (step.type === 'wait') {
      await this.#releaseHold({ session }, { shadowPod, pod: remote.pods.get(remoteKey) }, run);
      return requeueAfter(lookAgainMs, 'waiting for something at the provider to be gone');
    }
    const uid = shadowPod.metadata.annotations?.[annotations.podUid];
    const absent = await confirmAbsent(context.local, Pod, { ...key, uid }, signal);
    if (absent) await deleteShadowPod(session.client, shadowPod, undefined, signal);
    return done;
  }
}

/** Once the ShadowPod of a pod that is being deleted is gone, the pod at the provider still shows how it ends. */
function isObserved({ metadata }: Stored<Pod>, { shadowPod, pod }: RemoteTwins): boolean {
  const isTerminating = metadata.deletionTimestamp !== undefined;
  return shadowPod !== undefined || (pod !== undefined && isTerminating);
}

/** Of two outcomes the one that comes back first. */
function soonest(a: Outcome, b: Outcome): Outcome {
  if (a.type === 'done') return b;
  return b.type === 'done' || a.delayMs <= b.delayMs ? a : b;
}

/** For a pod that was removed: the cache has caught up when it does not show that very one any more. */
function endOf(pods: Informer<Pod>) {
  return {
    seen: ({ metadata }: Stored<Pod>, signal: AbortSignal) =>
      pods.waitFor(() => pods.get(metadata)?.metadata.uid !== metadata.uid, signal),
  };
}

function cachedTwins({ local, remote }: OffloadedPod): RemoteTwins {
  const key = { namespace: remote.name, name: local.metadata.name };
  return { shadowPod: remote.shadowPods.get(key), pod: remote.pods.get(key) };
}

/** What is to be done as everything is now, not as our caches show it. */
async function planLive(pod: OffloadedPod, signal: AbortSignal): Promise<ShadowPodStep> {
  return planShadowPod(pod.local, await liveTwins(pod, signal), pod.route);
}

/** In this order: while there is a shadow pod, a pod can be made from it that was not there a moment ago. */
async function liveTwins(
  { local, remote, session }: OffloadedPod,
  signal: AbortSignal,
): Promise<RemoteTwins> {
  const key = { namespace: remote.name, name: local.metadata.name };
  const shadowPod = await session.client.get(ShadowPod, key, signal);
  const pod = await session.client.get(Pod, key, signal);
  return {
    shadowPod: shadowPod && readRemoteShadowPod(shadowPod),
    pod: pod && readRemotePod(pod),
  };
}
