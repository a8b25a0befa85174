import {
  CronJob,
  deepEqual,
  findCondition,
  formatTime,
  isAlreadyExists,
  Job,
  keyOf,
  keyString,
  parseKey,
  parseTime,
  type Stored,
} from '@liqo/kube';
import type { CronJobStatus } from 'kubernetes-types/batch/v1.d.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isNamespaceTerminating } from '../is-namespace-terminating.ts';
import { isJobFinished } from '../job/plan-job.ts';
import { messageOf } from '../message-of.ts';
import { controllerOf, forgeControllerReference, isControlledBy } from '../owner-reference.ts';
import { parseSchedule } from './cron-schedule.ts';
import { planCronJob } from './plan-cron-job.ts';
import { TimeZone } from './time-zone.ts';

/** Starts jobs by the clock, and keeps only the last ones that have ended. */
export function startCronJobController(context: ControllerContext): void {
  const cronJobs = context.informer(CronJob);
  const controller = new CronJobController(context);
  const loop = context.loop('cronjob', (key) => controller.reconcile(key));
  cronJobs.onChange((current) => current && loop.add(keyString(keyOf(current))));
  context.informer(Job).onChange((current, previous) => {
    const job = current ?? previous;
    const owner = job && controllerOf(job);
    if (owner?.kind !== 'CronJob') return;
    loop.add(keyString({ namespace: job?.metadata.namespace, name: owner.name }));
  });
}

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

class CronJobController {
  readonly #context: ControllerContext;
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#cronJobs = context.informer(CronJob);
    this.#jobs = context.informer(Job);
    this.#events = context.events('cronjob-controller');
  }

  async reconcile(key: string): Promise<number | undefined> {
    const cronJob = this.#cronJobs.get(parseKey(key));
    if (!cronJob) return undefined;
    const jobs = this.#jobs
      .inNamespace(cronJob.metadata.namespace)
      .filter((job) => isControlledBy(job, cronJob));
    await this.#removeOldest(cronJob, jobs.filter(isComplete), 'successfulJobsHistoryLimit');
    await this.#removeOldest(cronJob, jobs.filter(isFailed), 'failedJobsHistoryLimit');
    const observed = this.#observe(cronJob, jobs);
    const { status, againMs } = await this.#start(cronJob, observed);
    if (!deepEqual(status, cronJob.status ?? {})) {
      await this.#cronJobs.updateStatus({ ...cronJob, status });
    }
    return againMs;
  }

  async #removeOldest(
    cronJob: Stored<CronJob>,
    jobs: readonly Stored<Job>[],
    limit: 'successfulJobsHistoryLimit' | 'failedJobsHistoryLimit',
  ): Promise<void> {
    const kept = cronJob.spec?.[limit] ?? Number.POSITIVE_INFINITY;
    const excess = Math.max(0, jobs.length - kept);
    for (const job of jobs.toSorted(byStart).slice(0, excess)) await this.#remove(cronJob, job);
  }

  async #remove(cronJob: Stored<CronJob>, job: Stored<Job>): Promise<void> {
    try {
      await this.#jobs.delete(job, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#events.warning(cronJob, 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      throw error;
    }
    this.#events.normal(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  /** What the status is to say of the jobs that there are, before a new one is started. */
  #observe(cronJob: Stored<CronJob>, jobs: readonly Stored<Job>[]): CronJobStatus {
    const { active = [], lastSuccessfulTime, ...status } = cronJob.status ?? {};
    const isListed = ({ metadata }: Stored<Job>) => active.some(({ uid }) => uid === metadata.uid);
    for (const job of jobs) {
      const { name } = job.metadata;
      if (isJobFinished(job) && isListed(job)) {
        const condition = isComplete(job) ? 'Complete' : 'Failed';
        const message = `Saw completed job: ${name}, condition: ${condition}`;
        this.#events.normal(cronJob, 'SawCompletedJob', message);
      } else if (!isJobFinished(job) && !isListed(job)) {
        const message = `Saw a job that the controller did not create or forgot: ${name}`;
        this.#events.warning(cronJob, 'UnexpectedJob', message);
      }
    }
    const running = active.filter(({ uid, name }) => {
      const job = jobs.find(({ metadata }) => metadata.uid === uid);
      if (!job) this.#events.normal(cronJob, 'MissingJob', `Active job went missing: ${name}`);
      return job && !isJobFinished(job);
    });
    const ends = jobs.filter(isComplete).flatMap((job) => job.status?.completionTime ?? []);
    const lastSuccess = [lastSuccessfulTime ?? [], ends].flat().toSorted().at(-1);
    return {
      ...status,
      ...(running.length > 0 && { active: running }),
      ...(lastSuccess && { lastSuccessfulTime: lastSuccess }),
    };
  }

  async #start(
    cronJob: Stored<CronJob>,
    status: CronJobStatus,
  ): Promise<{ readonly status: CronJobStatus; readonly againMs?: number | undefined }> {
    const { schedule = '', timeZone, suspend, concurrencyPolicy } = cronJob.spec ?? {};
    if (cronJob.metadata.deletionTimestamp || suspend) return { status };
    const nowMs = this.#context.clock.now();
    const plan = planCronJob(cronJob, parseSchedule(schedule, new TimeZone(timeZone)), nowMs);
    if (!plan) {
      const fact = 'time difference between two schedules is less than 1 second';
      this.#events.warning(cronJob, 'InvalidSchedule', `invalid schedule: ${schedule} : ${fact}`);
      return { status };
    }
    const { dueMs, missedMany, againMs } = plan;
    if (dueMs === undefined) return { status, againMs };
    if (missedMany) this.#tellManyMissed(cronJob);
    const { active = [] } = status;
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      const message =
        'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#events.normal(cronJob, 'JobAlreadyActive', message);
      return { status, againMs };
    }
    const kept = concurrencyPolicy === 'Replace' ? await this.#replace(cronJob, active) : active;
    const job = await this.#create(cronJob, dueMs);
    if (!job) return { status, againMs };
    const lastScheduleTime = formatTime(dueMs);
    return {
      status: { ...status, active: [...kept, referenceTo(job)], lastScheduleTime },
      againMs,
    };
  }

  async #replace(
    cronJob: Stored<CronJob>,
    active: NonNullable<CronJobStatus['active']>,
  ): Promise<NonNullable<CronJobStatus['active']>> {
    for (const { namespace, name = '' } of active) {
      const job = this.#jobs.get({ namespace, name });
      if (job) await this.#remove(cronJob, job);
    }
    return [];
  }

  /** The name says for when it is: nobody starts it twice. Undefined if it is not ours. */
  async #create(cronJob: Stored<CronJob>, dueMs: number): Promise<Stored<Job> | undefined> {
    const wanted = forgeJob(cronJob, dueMs);
    try {
      const job = await this.#jobs.create(wanted);
      this.#events.normal(cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      return job;
    } catch (error) {
      if (isAlreadyExists(error)) return this.#findOwn(cronJob, wanted);
      if (!isNamespaceTerminating(error)) {
        this.#events.warning(cronJob, 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  async #findOwn(cronJob: Stored<CronJob>, { metadata }: Job): Promise<Stored<Job> | undefined> {
    const { namespace, name = '' } = metadata ?? {};
    const existing = await this.#context.reader.get(Job, { namespace, name });
    return existing && isControlledBy(existing, cronJob) ? existing : undefined;
  }

  #tellManyMissed(cronJob: Stored<CronJob>): void {
    const message =
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    this.#events.warning(cronJob, 'TooManyMissedTimes', message);
  }
}

function forgeJob(cronJob: Stored<CronJob>, dueMs: number): Job {
  const { jobTemplate, timeZone } = cronJob.spec ?? {};
  const { labels, annotations } = jobTemplate?.metadata ?? {};
  const { namespace = '', name } = cronJob.metadata;
  const scheduled = new TimeZone(timeZone).format(dueMs);
  return {
    metadata: {
      namespace,
      name: `${name}-${Math.floor(dueMs / 60_000)}`,
      ...(labels && { labels }),
      annotations: { ...annotations, [scheduledAnnotation]: scheduled },
      ownerReferences: [forgeControllerReference(cronJob)],
    },
    ...(jobTemplate?.spec && { spec: jobTemplate.spec }),
  };
}

function referenceTo({ apiVersion, kind, metadata }: Stored<Job>) {
  const { namespace = '', name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}

function isComplete({ status }: Job): boolean {
  return findCondition(status?.conditions, 'Complete')?.status === 'True';
}

function isFailed({ status }: Job): boolean {
  return findCondition(status?.conditions, 'Failed')?.status === 'True';
}

function byStart(a: Stored<Job>, b: Stored<Job>): number {
  const startMs = ({ status }: Job) =>
    status?.startTime ? parseTime(status.startTime) : Number.POSITIVE_INFINITY;
  const [first, second] = [startMs(a), startMs(b)];
  if (first !== second) return first - second;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
