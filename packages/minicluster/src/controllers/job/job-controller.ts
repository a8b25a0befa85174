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
import { createInBatches } from '../create-in-batches.ts';
import type { Informer } from '../informer.ts';
import { omitZero } from '../omit-zero.ts';
import { isControlledBy } from '../owner-reference.ts';
import { isPodActive, isPodReady } from '../pod-state.ts';
import { forgePod } from '../pod-template.ts';
import { watchDependents } from '../watch-dependents.ts';
import { countPods, isTracked, type JobCounts, trackingFinalizer } from './job-counts.ts';
import { countTerminating, expiresInMs, isJobFinished, type JobPlan, planJob } from './plan-job.ts';

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

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informer(Job);
    this.#pods = context.informer(Pod);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const job = this.#jobs.get(parseKey(key));
    if (!job || job.spec?.completionMode === 'Indexed') return undefined;
    const pods = await this.#claimPods(job);
    const counts = countPods(job.status ?? {}, pods);
    if (isJobFinished(job) || job.metadata.deletionTimestamp) return this.#wrapUp(job, pods);
    const plan = planJob(job, pods, counts, this.#context.clock.now());
    for (const pod of plan.remove) await this.#pods.delete(pod);
    if (job.status?.startTime && plan.create > 0) await this.#createPods(job, plan.create);
    const written = await this.#writeStatus(job, counts, plan);
    for (const pod of counts.release) await this.#release(pod);
    return written ? 0 : plan.againMs;
  }

  #claimPods(owner: Stored<Job>): Promise<readonly Stored<Pod>[]> {
    const { namespace, name, uid } = owner.metadata;
    const mayAdopt = async () => {
      const fresh = await this.#context.client.get(Job, { namespace, name });
      return fresh?.metadata.uid === uid && !fresh.metadata.deletionTimestamp;
    };
    const query = labelQueryFromSelector(owner.spec?.selector);
    const candidates = this.#pods.inNamespace(namespace);
    return claim({ owner, query, informer: this.#pods, candidates, mayAdopt });
  }

  /** Nobody counts the pods of a job that is over: they are free to go, and after a while so is the job. */
  async #wrapUp(job: Stored<Job>, pods: readonly Stored<Pod>[]): Promise<number | undefined> {
    for (const pod of pods.filter(isTracked)) await this.#release(pod);
    const leftMs = expiresInMs(job, this.#context.clock.now());
    if (leftMs === undefined || leftMs > 0 || job.metadata.deletionTimestamp) return leftMs;
    await this.#jobs.delete(job, { propagationPolicy: 'Foreground' });
    return undefined;
  }

  async #createPods(job: Stored<Job>, count: number): Promise<void> {
    const generateName = `${job.metadata.name}-`;
    const pod = forgePod(job.spec?.template ?? {}, job, { generateName });
    const finalizers = [...(pod.metadata?.finalizers ?? []), trackingFinalizer];
    await createInBatches(count, async () => {
      await this.#pods.create({ ...pod, metadata: { ...pod.metadata, finalizers } });
    });
  }

  async #writeStatus(job: Stored<Job>, counts: JobCounts, plan: JobPlan): Promise<boolean> {
    const pods = this.#pods
      .inNamespace(job.metadata.namespace)
      .filter((pod) => isControlledBy(pod, job));
    const status = forgeStatus(job, pods, counts, plan, formatTime(this.#context.clock.now()));
    if (deepEqual(status, job.status)) return false;
    await this.#jobs.updateStatus({ ...job, status });
    return true;
  }

  async #release(pod: Stored<Pod>): Promise<void> {
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

function forgeStatus(
  job: Stored<Job>,
  pods: readonly Stored<Pod>[],
  counts: JobCounts,
  plan: JobPlan,
  now: string,
): JobStatus {
  const { succeeded, failed, uncounted } = counts;
  const active = pods.filter(isPodActive);
  const startTime = job.spec?.suspend ? undefined : (job.status?.startTime ?? now);
  return {
    ...omitZero({ active: active.length, succeeded, failed }),
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
