import { labels } from '@liqo/api';
import { formatTime, isNotFound, Pod, type Stored } from '@liqo/kube';
import {
  type AddressPolicy,
  denialOf,
  type EphemeralProblem,
  firstWordDueInMs,
  hasStarted,
  keepGenerations,
  nextPodStatus,
  type OffloadProblem,
  type PodRoute,
  type RemoteTwins,
  type StatusContext,
  saysOnlyThatItBegins,
  unmappedPodStatus,
  waitingPodStatus,
} from '@liqo/model';
import { type Informer, type ReconcileContext, writeStatus } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { OffloadedPod } from './reconcile-pod.ts';

export interface LocalPodStatusOptions {
  readonly context: KubeletContext;
  readonly pods: Informer<Pod>;
  /** Of the virtual node. */
  readonly nodeAddress: string;
  /** From an address of the provider to what reaches it from here. */
  readonly translateAddress?: (address: string) => string;
  readonly addresses: { readonly policy: AddressPolicy };
}

type Status = NonNullable<Pod['status']>;

type ReflectedPod = Pick<OffloadedPod, 'local' | 'route'> & {
  /** Why the provider does not have the pod as it is here. */
  readonly problem?: OffloadProblem;
  readonly session: { readonly health: Pick<OffloadedPod['session']['health'], 'contact'> };
};

/** For people and services: this one is somewhere else. It comes with the first that is known of the pod over there. */
const offloaded = { [labels.shadowPod]: 'true' };

/** What the pods here say of themselves. Written only when there is something to say. */
export class LocalPodStatus {
  readonly #options: LocalPodStatusOptions;

  constructor(options: LocalPodStatusOptions) {
    this.#options = options;
  }

  /**
   * What the provider says of the pod, said here. Gives back for how long that may still wait: a pod that has just begun
   * has more to say a moment later.
   */
  async reflect(
    { local, route, session, problem }: ReflectedPod,
    twins: RemoteTwins,
    run: ReconcileContext,
    ephemeralProblem?: EphemeralProblem,
  ): Promise<number> {
    if (ephemeralProblem) this.#warn(local, ephemeralProblem.reason, ephemeralProblem.message);
    const waits = twins.pod ? undefined : waitingProblem(twins.shadowPod);
    if (waits && !hasStarted(local.status ?? {})) {
      await this.sayWaiting(local, waits.reason, waits.message, run);
      return 0;
    }
    if (waits) this.#warn(local, waits.reason, waits.message);
    const state = { isReachable: session.health.contact !== 'lost', ...twins, ephemeralProblem };
    const status = nextPodStatus(local, state, this.#contextOf(route, waits ?? problem));
    const denied = denialOf(twins.shadowPod?.status, 'resize');
    const isSaid = local.status?.conditions?.some(({ message }) => message === denied);
    if (denied !== undefined && !isSaid) this.#warn(local, 'ResizeInfeasible', denied);
    const mayWaitMs = this.#mayWaitMs(local, status, twins);
    if (mayWaitMs === 0) await this.#write(local, status, run, offloaded);
    return mayWaitMs;
  }

  /** From when the provider began with it, however long it has waited for that. */
  #mayWaitMs(
    { status }: Stored<Pod>,
    next: ReturnType<typeof nextPodStatus>,
    { pod }: RemoteTwins,
  ): number {
    const { phase, reason, containerStatuses } = status ?? {};
    // A reason to wait is out of date once the provider has the pod.
    const isFirstWord = phase === 'Pending' && !reason && containerStatuses === undefined;
    if (!isFirstWord || !next || !saysOnlyThatItBegins(next)) return 0;
    return firstWordDueInMs(pod?.metadata.creationTimestamp, this.#options.context.clock.now());
  }

  /**
   * Nobody knows how the pod is: that is said before anything is tried at a provider that does not answer. Gives back the
   * pod as it is then.
   */
  async sayUnreachable(local: Stored<Pod>, run: ReconcileContext): Promise<Stored<Pod>> {
    const { consumerClusterID, providerClusterID, virtualNode } = this.#options.context;
    const nodeName = virtualNode.name;
    const route = { consumerClusterID, providerClusterID, nodeName, remoteNamespace: '' };
    const unknown = { isReachable: false, shadowPod: undefined, pod: undefined };
    return this.#write(local, nextPodStatus(local, unknown, this.#contextOf(route)), run);
  }

  /** Why the pod is not at the provider. */
  async sayWaiting(
    local: Stored<Pod>,
    reason: string,
    message: string,
    run: ReconcileContext,
  ): Promise<void> {
    this.#warn(local, reason, message);
    const now = formatTime(this.#options.context.clock.now());
    await this.#write(local, waitingPodStatus(local, { reason, message }, now), run);
  }

  /** For a pod whose ShadowPod the provider denies. One that has run before is not ready any more. */
  async sayDenied(
    { local, route, problem }: ReflectedPod & { readonly problem: OffloadProblem },
    twins: RemoteTwins,
    run: ReconcileContext,
  ): Promise<void> {
    const context = this.#contextOf(route, problem);
    const status = hasStarted(local.status ?? {})
      ? nextPodStatus(local, { isReachable: true, ...twins }, context)
      : waitingPodStatus(local, problem, context.now);
    await this.#write(local, status, run);
  }

  /** For a pod in a namespace that the provider has not, or not any more. */
  async settleUnmapped(local: Stored<Pod>, run: ReconcileContext): Promise<void> {
    const { clock, events } = this.#options.context;
    const status = unmappedPodStatus(local, formatTime(clock.now()));
    if (!status) return;
    events.record({
      regarding: local,
      type: 'Warning',
      reason: 'ReflectionDisabled',
      action: 'Offloading',
      note: `The namespace "${local.metadata.namespace}" is not offloaded to this virtual node: offload it with a NamespaceOffloading that selects the node, or delete the pod`,
    });
    await this.#write(local, status, run);
  }

  #warn(local: Stored<Pod>, reason: string, note: string): void {
    const { events } = this.#options.context;
    events.record({ regarding: local, type: 'Warning', reason, action: 'Offloading', note });
  }

  #contextOf(route: PodRoute, problem?: OffloadProblem): StatusContext {
    const { nodeAddress, translateAddress, addresses, context } = this.#options;
    return {
      route,
      nodeAddress,
      addressPolicy: addresses.policy,
      ...(translateAddress && { translateAddress }),
      now: formatTime(context.clock.now()),
      ...(problem && { problem }),
    };
  }

  async #write(
    local: Stored<Pod>,
    status: ReturnType<typeof nextPodStatus>,
    { signal, ...run }: ReconcileContext,
    marks?: Readonly<Record<string, string>>,
  ): Promise<Stored<Pod>> {
    if (!status) return local;
    const { context, pods } = this.#options;
    const options = { ...(marks && { labels: marks }), signal };
    try {
      const kept = keepGenerations(status, local.status);
      const written = await writeStatus(context.local, Pod, local, kept as Status, options);
      if (written !== local) run.wrote(pods, written);
      return written;
    } catch (error) {
      // Gone meanwhile: nobody asks for its status any more.
      if (!isNotFound(error)) throw error;
      return local;
    }
  }
}

/** Why the provider has not made the pod of a ShadowPod. */
function waitingProblem(shadowPod: RemoteTwins['shadowPod']): OffloadProblem | undefined {
  const { reason, message } = shadowPod?.status ?? {};
  return reason === undefined ? undefined : { reason, message: message ?? reason };
}
