import {
  Deployment,
  deepEqual,
  findCondition,
  isAlreadyExists,
  keyString,
  labelQueryFromSelector,
  Pod,
  parseKey,
  ReplicaSet,
  type Stored,
} from '@liqo/kube';
import { claim } from '../claim.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isNamespaceTerminating } from '../is-namespace-terminating.ts';
import { messageOf } from '../message-of.ts';
import { controllerOf, isControlledBy } from '../owner-reference.ts';
import { isPodFinished } from '../pod-state.ts';
import { watchDependents } from '../watch-dependents.ts';
import { type NewDeploymentCondition, setDeploymentCondition } from './deployment-conditions.ts';
import {
  hasProgressDeadline,
  isDeploymentComplete,
  planDeploymentStatus,
  progressCheckInMs,
  withProgress,
} from './deployment-status.ts';
import {
  isScalingEvent,
  newReplicaSetSize,
  planCleanup,
  planRecreate,
  planRolling,
  planScaling,
  type Scaling,
  sizeOf,
} from './plan-rollout.ts';
import {
  annotationsFor,
  forgeReplicaSet,
  type History,
  isSameTemplate,
  nextRevision,
  replicasAnnotations,
  revisionAnnotation,
  splitHistory,
} from './replica-set-history.ts';

export function startDeploymentController(context: ControllerContext): void {
  const deployments = context.informer(Deployment);
  const replicaSets = context.informer(ReplicaSet);
  const pods = context.informer(Pod);
  const controller = new DeploymentController(context, { deployments, replicaSets, pods });
  const loop = context.loop('deployment', (key) => controller.reconcile(key));
  watchDependents({
    owners: deployments,
    dependents: replicaSets,
    selectorOf: ({ spec }) => spec?.selector,
    enqueue: (key) => loop.add(key),
  });
  pods.onChange((current, previous) => {
    const key = current || !previous ? undefined : deploymentOf(previous, replicaSets);
    if (key !== undefined) loop.add(key);
  });
}

/** A Deployment that recreates waits for its last pod to go. */
function deploymentOf(pod: Stored<Pod>, replicaSets: Informer<ReplicaSet>): string | undefined {
  const { namespace } = pod.metadata;
  const name = controllerOf(pod)?.name;
  const replicaSet = name === undefined ? undefined : replicaSets.get({ namespace, name });
  const owner = replicaSet && controllerOf(replicaSet);
  return owner?.kind === 'Deployment' ? keyString({ namespace, name: owner.name }) : undefined;
}

interface Informers {
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

class DeploymentController {
  readonly #context: ControllerContext;
  readonly #informers: Informers;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext, informers: Informers) {
    this.#context = context;
    this.#informers = informers;
    this.#events = context.events('deployment-controller');
  }

  async reconcile(key: string): Promise<number | undefined> {
    const deployment = this.#informers.deployments.get(parseKey(key));
    if (!deployment) return undefined;
    const replicaSets = await this.#claim(deployment);
    const draft = this.#notePause(deployment);
    const history = splitHistory(draft, replicaSets);
    if (draft.metadata.deletionTimestamp) return this.#finish(deployment, draft, history);
    if (draft.spec?.paused || isScalingEvent(draft, history)) {
      return this.#resize(deployment, draft, history);
    }
    return this.#rollOut(deployment, draft, history);
  }

  #claim(owner: Stored<Deployment>): Promise<readonly Stored<ReplicaSet>[]> {
    const { namespace, name, uid } = owner.metadata;
    const { replicaSets: informer } = this.#informers;
    const mayAdopt = async () => {
      const fresh = await this.#context.reader.get(Deployment, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    const query = labelQueryFromSelector(owner.spec?.selector);
    return claim({ owner, query, informer, candidates: informer.inNamespace(namespace), mayAdopt });
  }

  #notePause(deployment: Stored<Deployment>): Stored<Deployment> {
    const reason = findCondition(deployment.status?.conditions, 'Progressing')?.reason;
    if (!hasProgressDeadline(deployment) || reason === 'ProgressDeadlineExceeded') {
      return deployment;
    }
    const isPaused = deployment.spec?.paused ?? false;
    if (isPaused === (reason === 'DeploymentPaused')) return deployment;
    return this.#note(deployment, {
      type: 'Progressing',
      status: 'Unknown',
      reason: isPaused ? 'DeploymentPaused' : 'DeploymentResumed',
      message: isPaused ? 'Deployment is paused' : 'Deployment is resumed',
    });
  }

  #note(deployment: Stored<Deployment>, condition: NewDeploymentCondition): Stored<Deployment> {
    const { status } = deployment;
    const nowMs = this.#context.clock.now();
    const conditions = setDeploymentCondition(status?.conditions ?? [], condition, nowMs);
    return { ...deployment, status: { ...status, conditions: [...conditions] } };
  }

  async #resize(
    stored: Stored<Deployment>,
    draft: Stored<Deployment>,
    history: History,
  ): Promise<undefined> {
    const { current, old } = history;
    const [refreshed, noted] = await this.#refreshCurrent(draft, current, old);
    const kept = { current: refreshed, old };
    const scaled = await this.#scale(noted, kept, planScaling(noted, kept));
    if (noted.spec?.paused) await this.#cleanUp(noted, scaled);
    await this.#finish(stored, noted, scaled);
  }

  async #rollOut(
    stored: Stored<Deployment>,
    draft: Stored<Deployment>,
    history: History,
  ): Promise<number | undefined> {
    const recreates = draft.spec?.strategy?.type === 'Recreate';
    if (recreates) {
      const emptied = planRecreate(history.old);
      const scaled = await this.#scale(draft, history, emptied);
      if (emptied.length > 0 || this.#hasOldPods(draft, scaled)) {
        const [current, noted] = await this.#refreshCurrent(draft, scaled.current, scaled.old);
        return this.#finishRollout(stored, noted, { ...scaled, current });
      }
    }
    const [current, noted] = await this.#ensureCurrent(draft, history);
    const wanted = recreates
      ? [{ replicaSet: current, replicas: draft.spec?.replicas ?? 1 }]
      : planRolling(draft, current, history.old);
    const scaled = await this.#scale(noted, { current, old: history.old }, wanted);
    if (isDeploymentComplete(noted, noted.status ?? {})) await this.#cleanUp(noted, scaled);
    return this.#finishRollout(stored, noted, scaled);
  }

  #hasOldPods(deployment: Stored<Deployment>, { current, old }: History): boolean {
    if (old.some(({ status }) => (status?.replicas ?? 0) > 0)) return true;
    const { replicaSets, pods } = this.#informers;
    const owners = replicaSets
      .inNamespace(deployment.metadata.namespace)
      .filter((one) => isControlledBy(one, deployment))
      .filter((one) => one.metadata.uid !== current?.metadata.uid);
    const uids = new Set(owners.map(({ metadata }) => metadata.uid));
    return pods
      .inNamespace(deployment.metadata.namespace)
      .some((pod) => uids.has(controllerOf(pod)?.uid ?? '') && !isPodFinished(pod));
  }

  async #ensureCurrent(
    draft: Stored<Deployment>,
    { current, old }: History,
  ): Promise<readonly [Stored<ReplicaSet>, Stored<Deployment>]> {
    const [refreshed, noted] = await this.#refreshCurrent(draft, current, old);
    return refreshed ? [refreshed, noted] : this.#createCurrent(noted, old);
  }

  /** Keeps revision, annotations and readiness time of the current ReplicaSet, if there is one, up to date. */
  async #refreshCurrent(
    draft: Stored<Deployment>,
    current: Stored<ReplicaSet> | undefined,
    old: readonly Stored<ReplicaSet>[],
  ): Promise<readonly [Stored<ReplicaSet> | undefined, Stored<Deployment>]> {
    if (!current) return [undefined, draft];
    const present = current.metadata.annotations ?? {};
    const annotations = annotationsFor(draft, present, nextRevision(old));
    const { minReadySeconds } = draft.spec ?? {};
    const isUpToDate =
      deepEqual(annotations, present) &&
      (minReadySeconds ?? 0) === (current.spec?.minReadySeconds ?? 0);
    const refreshed = isUpToDate
      ? current
      : await this.#updateReplicaSet(current, { annotations, minReadySeconds });
    const noted = withRevision(draft, annotations[revisionAnnotation] ?? '');
    if (!hasProgressDeadline(noted) || findCondition(noted.status?.conditions, 'Progressing')) {
      return [refreshed, noted];
    }
    const message = `Found new replica set "${refreshed.metadata.name}"`;
    const reason = 'FoundNewReplicaSet';
    const condition = { type: 'Progressing', status: 'True', reason, message } as const;
    return [refreshed, this.#note(noted, condition)];
  }

  #updateReplicaSet(
    replicaSet: Stored<ReplicaSet>,
    change: {
      readonly annotations: Readonly<Record<string, string>>;
      readonly minReadySeconds?: number | undefined;
    },
  ): Promise<Stored<ReplicaSet>> {
    const { selector = {}, ...spec } = replicaSet.spec ?? {};
    return this.#informers.replicaSets.update({
      ...replicaSet,
      metadata: { ...replicaSet.metadata, annotations: { ...change.annotations } },
      spec: { ...spec, selector, minReadySeconds: change.minReadySeconds ?? 0 },
    });
  }

  async #createCurrent(
    draft: Stored<Deployment>,
    old: readonly Stored<ReplicaSet>[],
  ): Promise<readonly [Stored<ReplicaSet>, Stored<Deployment>]> {
    const revision = nextRevision(old);
    const wanted = forgeReplicaSet(draft, newReplicaSetSize(draft, old, 0), revision);
    const noted = withRevision(draft, String(revision));
    try {
      const created = await this.#informers.replicaSets.create(wanted);
      this.#tellScaling(draft, created, 0);
      if (!hasProgressDeadline(noted)) return [created, noted];
      const message = `Created new replica set "${created.metadata.name}"`;
      const reason = 'NewReplicaSetCreated';
      const condition = { type: 'Progressing', status: 'True', reason, message } as const;
      return [created, this.#note(noted, condition)];
    } catch (error) {
      if (isAlreadyExists(error)) return this.#afterCollision(noted, wanted, error);
      if (!isNamespaceTerminating(error)) await this.#reportFailedCreate(draft, wanted, error);
      throw error;
    }
  }

  /** The name is taken: by ourselves, which is fine, or by another template, which needs another hash. */
  async #afterCollision(
    draft: Stored<Deployment>,
    wanted: ReplicaSet,
    error: unknown,
  ): Promise<readonly [Stored<ReplicaSet>, Stored<Deployment>]> {
    const key = { namespace: draft.metadata.namespace, name: wanted.metadata?.name ?? '' };
    const existing = await this.#context.reader.get(ReplicaSet, key);
    const isOurs = existing && isControlledBy(existing, draft);
    if (isOurs && isSameTemplate(existing.spec?.template, draft.spec?.template)) {
      return [existing, draft];
    }
    const collisionCount = (draft.status?.collisionCount ?? 0) + 1;
    const status = { ...draft.status, collisionCount };
    await this.#informers.deployments.updateStatus({ ...draft, status });
    throw error;
  }

  async #reportFailedCreate(
    draft: Stored<Deployment>,
    wanted: ReplicaSet,
    error: unknown,
  ): Promise<void> {
    const fact = messageOf(error);
    const message = `Failed to create new replica set "${wanted.metadata?.name}": ${fact}`;
    const reason = 'ReplicaSetCreateError';
    this.#events.warning(draft, reason, message);
    if (!hasProgressDeadline(draft)) return;
    const condition = { type: 'Progressing', status: 'False', reason, message } as const;
    await this.#informers.deployments.updateStatus(this.#note(draft, condition));
  }

  /** Carries the scalings out and gives back the history with the new sizes. */
  async #scale(
    deployment: Stored<Deployment>,
    { current, old }: History,
    scalings: readonly Scaling[],
  ): Promise<History> {
    const updated = new Map<string, Stored<ReplicaSet>>();
    for (const { replicaSet, replicas } of scalings) {
      const { metadata, spec } = replicaSet;
      const annotations = { ...metadata.annotations, ...replicasAnnotations(deployment) };
      const isSized = sizeOf(replicaSet) === replicas;
      if (isSized && deepEqual(annotations, metadata.annotations)) continue;
      const sized = await this.#informers.replicaSets.update({
        ...replicaSet,
        metadata: { ...metadata, annotations },
        spec: { ...spec, selector: spec?.selector ?? {}, replicas },
      });
      updated.set(metadata.uid, sized);
      this.#tellScaling(deployment, sized, sizeOf(replicaSet));
    }
    const latest = (one: Stored<ReplicaSet>) => updated.get(one.metadata.uid) ?? one;
    return { current: current && latest(current), old: old.map(latest) };
  }

  #tellScaling(deployment: Stored<Deployment>, replicaSet: Stored<ReplicaSet>, before: number) {
    const size = sizeOf(replicaSet);
    if (size === before) return;
    const direction = size > before ? 'up' : 'down';
    const { name } = replicaSet.metadata;
    const message = `Scaled ${direction} replica set ${name} from ${before} to ${size}`;
    this.#events.normal(deployment, 'ScalingReplicaSet', message);
  }

  async #cleanUp(deployment: Stored<Deployment>, { old }: History): Promise<void> {
    for (const replicaSet of planCleanup(deployment, old)) {
      await this.#informers.replicaSets.delete(replicaSet);
    }
  }

  async #finish(
    stored: Stored<Deployment>,
    draft: Stored<Deployment>,
    history: History,
  ): Promise<undefined> {
    const status = planDeploymentStatus(draft, history, this.#context.clock.now());
    await this.#write(stored, { ...draft, status });
  }

  async #finishRollout(
    stored: Stored<Deployment>,
    draft: Stored<Deployment>,
    history: History,
  ): Promise<number | undefined> {
    const nowMs = this.#context.clock.now();
    const counted = planDeploymentStatus(draft, history, nowMs);
    const status = withProgress(draft, counted, history, nowMs);
    await this.#write(stored, { ...draft, status });
    return progressCheckInMs(draft, status, nowMs);
  }

  /** Through the status subresource, which takes the annotation with the revision, too. */
  async #write(stored: Stored<Deployment>, wanted: Stored<Deployment>): Promise<void> {
    const isSame =
      deepEqual(wanted.status, stored.status) &&
      deepEqual(wanted.metadata.annotations, stored.metadata.annotations);
    if (!isSame) await this.#informers.deployments.updateStatus(wanted);
  }
}

function withRevision(deployment: Stored<Deployment>, revision: string): Stored<Deployment> {
  const { metadata } = deployment;
  if (metadata.annotations?.[revisionAnnotation] === revision) return deployment;
  const annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
  return { ...deployment, metadata: { ...metadata, annotations } };
}
