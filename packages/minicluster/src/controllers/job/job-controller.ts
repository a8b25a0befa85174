import {
  deepEqual,
  formatTime,
  isNotFound,
  Job,
  type Json,
  keyOf,
  labelQueryFromSelector,
  mergePatch,
  Pod,
  parseKey,
  type Stored,
} from '@liqo/kube';
import type { JobStatus } from 'kubernetes-types/batch/v1.d.ts';
import { claim } from '../claim.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { omitZero } from '../omit-zero.ts';
import { controllerOf, isControlledBy } from '../owner-reference.ts';
import { PodControl } from '../pod-control.ts';
import { isPodActive, isPodReady } from '../pod-state.ts';
import { forgePod } from '../pod-template.ts';
import { watchDependents } from '../watch-dependents.ts';
import { failureAnnotations } from './index-failures.ts';
import { formatIndexes } from './index-set.ts';
import { indexedName, withIndex } from './indexed-pod.ts';
import { countPods, type JobCounts } from './job-counts.ts';
import { type Backoff, expiresInMs, noteEnds } from './job-times.ts';
import { countTerminating, isJobFinished, type JobPlan, planJob } from './plan-job.ts';
import { planJobEvents } from './plan-job-events.ts';
import { isTracked, trackingFinalizer } from './pod-outcome.ts';

export function startJobController(context: ControllerContext): void {
  const controller = new JobController(context);
  const loop = context.loop('job', (key) => controller.reconcile(key));
  watchDependents({
    owners: context.informer(Job),
    dependents: context.informer(Pod),
    selectorOf: ({ spec }) => spec?.selector,
    enqueue: (key) => loop.add(key),
  });
}

class JobController {
  readonly #context: ControllerContext;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #events: ControllerEvents;
  readonly #control: PodControl;
  /** By UID, and forgotten when the controller restarts, as with kube-controller-manager. */
  readonly #backoffs = new Map<string, Backoff>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informer(Job);
    this.#pods = context.informer(Pod);
    this.#events = context.events('job-controller');
    this.#control = new PodControl(this.#pods, this.#events);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const job = this.#jobs.get(parseKey(key));
    await this.#releaseOrphans(key, job);
    if (!job || isManagedElsewhere(job)) return undefined;
    const pods = await this.#claimPods(job);
    if (isJobFinished(job) || job.metadata.deletionTimestamp) return this.#wrapUp(job, pods);
    const counts = countPods(job, pods);
    const { uid } = job.metadata;
    const backoff = noteEnds(this.#backoffs.get(uid), counts.fresh);
    const plan = planJob({ job, pods, counts, backoff }, this.#context.clock.now());
    await this.#removePods(job, plan);
    if (job.status?.startTime) await this.#createPods(job, plan.create, counts);
    const written = await this.#writeStatus(job, counts, plan);
    if (backoff) this.#backoffs.set(uid, backoff);
    else this.#backoffs.delete(uid);
    for (const pod of counts.release) await this.#release(pod);
    return written ? 0 : plan.againMs;
  }

  #claimPods(owner: Stored<Job>): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const mayAdopt = async () => {
      const fresh = await this.#context.reader.get(Job, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    const query = labelQueryFromSelector(owner.spec?.selector);
    const candidates = this.#pods.inNamespace(namespace);
    return claim({ owner, query, informer: this.#pods, candidates, mayAdopt });
  }

  /** Nobody counts the pods of a job that is over: they are free to go, and after a while so is the job. */
  async #wrapUp(job: Stored<Job>, pods: readonly Stored<Pod>[]): Promise<number | undefined> {
    this.#backoffs.delete(job.metadata.uid);
    for (const pod of pods.filter(isTracked)) await this.#release(pod);
    const leftMs = expiresInMs(job, this.#context.clock.now());
    if (leftMs === undefined || leftMs > 0 || job.metadata.deletionTimestamp) return leftMs;
    await this.#jobs.delete(job, { propagationPolicy: 'Foreground' });
    return undefined;
  }

  /** Pods of a job that is no more, even if another one has its name now: nobody else would ever let them go. */
  async #releaseOrphans(key: string, job: Stored<Job> | undefined): Promise<void> {
    const { namespace, name } = parseKey(key);
    const orphans = this.#pods.inNamespace(namespace).filter((pod) => {
      const owner = isTracked(pod) ? controllerOf(pod) : undefined;
      return owner?.kind === Job.kind && owner.name === name && owner.uid !== job?.metadata.uid;
    });
    if (orphans.length === 0) return;
    const live = await this.#context.reader.get(Job, parseKey(key));
    for (const pod of orphans) {
      if (controllerOf(pod)?.uid !== live?.metadata.uid) await this.#release(pod);
    }
  }

  /** A pod that is let go first is never counted. */
  async #removePods(job: Stored<Job>, { remove, removedFailed }: JobPlan): Promise<void> {
    for (const pod of remove) {
      if (!removedFailed) await this.#release(pod);
      await this.#control.delete(pod, job);
    }
  }

  #createPods(job: Stored<Job>, indexes: JobPlan['create'], counts: JobCounts): Promise<void> {
    const forge = (position: number) => forgeJobPod(job, indexes[position], counts);
    return this.#control.createMany(indexes.length, forge, job);
  }

  async #writeStatus(job: Stored<Job>, counts: JobCounts, plan: JobPlan): Promise<boolean> {
    const pods = this.#pods
      .inNamespace(job.metadata.namespace)
      .filter((pod) => isControlledBy(pod, job));
    const status = forgeStatus(job, pods, counts, plan, formatTime(this.#context.clock.now()));
    if (deepEqual(status, job.status)) return false;
    await this.#jobs.updateStatus({ ...job, status });
    for (const { type, reason, message } of planJobEvents(job, status)) {
      this.#events[type](job, reason, message);
    }
    return true;
  }

  async #release(pod: Stored<Pod>): Promise<void> {
    if (!isTracked(pod)) return;
    const { uid, resourceVersion } = pod.metadata;
    const left = pod.metadata.finalizers?.filter((one) => one !== trackingFinalizer) ?? [];
    const finalizers = left.length > 0 ? left : null;
    const change = { metadata: { uid, resourceVersion, finalizers } } as unknown as Json;
    try {
      await this.#pods.patch(keyOf(pod), mergePatch(change));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function isManagedElsewhere({ spec }: Job): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== 'kubernetes.io/job-controller';
}

function forgeJobPod(job: Stored<Job>, index: number | undefined, { byIndex }: JobCounts): Pod {
  const { name } = job.metadata;
  const generateName = index === undefined ? `${name}-` : indexedName(name, index);
  const pod = forgePod(job.spec?.template ?? {}, job, { generateName });
  const finalizers = [...(pod.metadata?.finalizers ?? []), trackingFinalizer];
  const tracked = { ...pod, metadata: { ...pod.metadata, finalizers } };
  if (index === undefined) return tracked;
  const history = byIndex ? failureAnnotations(job, byIndex.kept.get(index)) : {};
  return withIndex(tracked, name, index, history);
}

function forgeStatus(
  job: Stored<Job>,
  pods: readonly Stored<Pod>[],
  counts: JobCounts,
  plan: JobPlan,
  now: string,
): JobStatus {
  const { succeeded, failed, uncounted, completed, byIndex } = counts;
  const active = pods.filter(isPodActive);
  const startTime = job.spec?.suspend ? undefined : (job.status?.startTime ?? now);
  return {
    // As kube-controller-manager has it: a job that pauses says that nothing runs, whatever does.
    ...omitZero({ active: plan.isPausing ? 0 : active.length, succeeded, failed }),
    ...(completed?.size && { completedIndexes: formatIndexes(completed) }),
    ...(byIndex && { failedIndexes: formatIndexes(byIndex.failed) }),
    ready: active.filter(isPodReady).length,
    terminating: countTerminating(pods),
    uncountedTerminatedPods: {
      ...(uncounted.succeeded.length > 0 && { succeeded: [...uncounted.succeeded] }),
      ...(uncounted.failed.length > 0 && { failed: [...uncounted.failed] }),
    },
    ...(startTime && { startTime }),
    ...(plan.isComplete && { completionTime: now }),
    ...(plan.conditions.length > 0 && { conditions: plan.conditions }),
  };
}
