import { deepEqual, Job, type Stored } from '@liqo/kube';
import type { JobSpec } from 'kubernetes-types/batch/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { humanDuration } from '../printing/human-duration.ts';
import { selectorText } from '../printing/label-text.ts';
import { validateJob } from './validate-job.ts';
import { validateJobStatusUpdate } from './validate-job-status.ts';
import { validateJobUpdate } from './validate-job-update.ts';

export const jobs = defineResource<Job>({
  kind: Job,
  categories: ['all'],
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  subresources: { status: partOf(Job) },
  columns: [
    nameColumn,
    textColumn('Status', statusText),
    textColumn('Completions', completionsText),
    textColumn('Duration', durationText),
    ageColumn,
    ...wide(
      ...containerColumns(({ spec }: Job) => spec?.template),
      textColumn('Selector', ({ spec }: Job) => selectorText(spec?.selector)),
    ),
  ],
  freshStatus: {},
  strategy: {
    orphansByDefault: true,
    withDefaults: defaultJob,
    onCreate: withSelector,
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    validateStatusUpdate: validateJobStatusUpdate,
  },
});

const spokenConditions: readonly string[] = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

function statusText({ metadata, status }: Stored<Job>): string {
  const conditions = status?.conditions ?? [];
  const is = (type: string) => conditions.find((one) => one.type === type)?.status === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return spokenConditions.find(is) ?? 'Running';
}

function completionsText({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: Job, nowMs: number): string {
  if (!status?.startTime) return '';
  const endMs = status.completionTime ? Date.parse(status.completionTime) : nowMs;
  return humanDuration(endMs - Date.parse(status.startTime));
}

function defaultJob(job: Job): Job {
  const labels = job.spec?.template.metadata?.labels;
  const complete = changeIn(job, 'spec', defaultJobSpec);
  if (!labels) return complete;
  return changeIn(complete, 'metadata', (metadata) => fillIn(metadata, { labels }));
}

function defaultJobSpec(spec: JobSpec): JobSpec {
  const isSingle = spec.completions === undefined && spec.parallelism === undefined;
  const hasOwnLimits = spec.backoffLimitPerIndex !== undefined;
  const complete = fillIn(spec, {
    ...(isSingle && { completions: 1 }),
    parallelism: 1,
    backoffLimit: hasOwnLimits ? 2 ** 31 - 1 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
    manualSelector: false,
  });
  return defaultJobTemplate(complete);
}

type Rules = NonNullable<JobSpec['podFailurePolicy']>['rules'];

/** Also of a job that a CronJob will make: the rest is filled in when it does. */
export function defaultJobTemplate(spec: JobSpec): JobSpec {
  const complete = changeIn(spec, 'podFailurePolicy', (policy) =>
    changeEach(policy, 'rules', (rule: Rules[number]) =>
      changeEach(rule, 'onPodConditions', (pattern: { status: string; type: string }) =>
        pattern.status ? pattern : { ...pattern, status: 'True' },
      ),
    ),
  );
  return changeIn(complete, 'template', defaultPodTemplate);
}

/** A job that does not choose its pods itself is given labels that no other job has. */
function withSelector(job: Job): Job {
  const { spec, metadata } = job;
  const uid = metadata?.uid;
  if (!spec || spec.manualSelector || !uid) return job;
  const name = metadata?.name ?? '';
  const labels = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    ...spec.template.metadata?.labels,
  };
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid, ...spec.selector?.matchLabels };
  const template = { ...spec.template, metadata: { ...spec.template.metadata, labels } };
  // Labels that the job took over from its template are the same ones, also now.
  const isShared = deepEqual(metadata?.labels, spec.template.metadata?.labels);
  return {
    ...job,
    metadata: { ...metadata, ...(isShared && { labels }) },
    spec: { ...spec, selector: { ...spec.selector, matchLabels }, template },
  };
}
