import { CronJob, type Stored } from '@liqo/kube';
import type { CronJobSpec } from 'kubernetes-types/batch/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, booleanColumn, integerColumn, textColumn, wide } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { timeSince } from '../printing/human-duration.ts';
import { selectorText } from '../printing/label-text.ts';
import {
  type FieldProblem,
  invalid,
  notSupported,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { selectorValue } from '../validation/labels.ts';
import { nonNegative } from '../validation/numbers.ts';
import { cronFault } from './cron-schedule.ts';
import { defaultJobTemplate } from './job.ts';
import { validateJobSpec } from './validate-job.ts';

export const cronJobs = defineResource<CronJob>({
  kind: CronJob,
  shortNames: ['cj'],
  categories: ['all'],
  subresources: { status: partOf(CronJob) },
  columns: [
    nameColumn,
    textColumn('Schedule', ({ spec }: CronJob) => spec?.schedule ?? ''),
    textColumn('Timezone', ({ spec }: CronJob) => spec?.timeZone ?? '<none>'),
    booleanColumn('Suspend', ({ spec }: CronJob) => {
      return spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';
    }),
    integerColumn('Active', ({ status }: CronJob) => (status?.active ?? []).length),
    textColumn('Last Schedule', ({ status }: CronJob, nowMs) => {
      const last = status?.lastScheduleTime;
      return last ? timeSince(last, nowMs) : '<none>';
    }),
    ageColumn,
    ...wide(
      ...containerColumns(({ spec }: CronJob) => spec?.jobTemplate.spec?.template),
      textColumn('Selector', ({ spec }: CronJob) => selectorText(spec?.jobTemplate.spec?.selector)),
    ),
  ],
  freshStatus: {},
  strategy: {
    withDefaults: (object: CronJob) => changeIn(object, 'spec', defaultSpec),
    validate: validateCronJob,
    validateUpdate: (next: CronJob, previous: Stored<CronJob>) => {
      const isSame = next.spec?.timeZone === previous.spec?.timeZone;
      return isSame ? [] : validateTimeZone('spec.timeZone', next.spec?.timeZone);
    },
  },
});

function defaultSpec(spec: CronJobSpec): CronJobSpec {
  const complete = fillIn(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  return changeIn(complete, 'jobTemplate', (template) =>
    changeIn(template, 'spec', defaultJobTemplate),
  );
}

/** The jobs it makes are named after it and the time. */
const maxNameLength = 52;

function validateCronJob({ metadata, spec }: CronJob): FieldProblem[] {
  if (!spec) return [];
  const name = metadata?.name ?? '';
  return [
    ...validateSchedule('spec.schedule', spec.schedule),
    ...nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...validateTimeZone('spec.timeZone', spec.timeZone),
    ...requiredOneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, [
      'Allow',
      'Forbid',
      'Replace',
    ]),
    ...validateJobTemplate('spec.jobTemplate.spec', spec),
    ...nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ...(name.length > maxNameLength
      ? [invalid('metadata.name', name, `must be no more than ${maxNameLength} characters`)]
      : []),
  ];
}

function validateSchedule(field: string, schedule: string): FieldProblem[] {
  if (!schedule) return [required(field)];
  const fault = cronFault(schedule);
  const hasZone = schedule.includes('TZ');
  const rule = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [
    ...(fault ? [invalid(field, schedule, fault)] : []),
    ...(hasZone ? [invalid(field, schedule, rule)] : []),
  ];
}

function validateTimeZone(field: string, zone: string | undefined): FieldProblem[] {
  if (zone === undefined) return [];
  if (zone === '') return [invalid(field, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local') {
    const rule =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    return [invalid(field, zone, rule)];
  }
  return isTimeZone(zone) ? [] : [invalid(field, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    // A RangeError: there is no such zone.
    return false;
  }
}

function validateJobTemplate(field: string, { jobTemplate }: CronJobSpec): FieldProblem[] {
  const spec = jobTemplate.spec;
  if (!spec) return [];
  const { selector, manualSelector } = spec;
  const rule = '`selector` will be auto-generated';
  return [
    ...validateJobSpec(field, spec),
    ...(selector ? [invalid(`${field}.selector`, selectorValue(selector), rule)] : []),
    ...(manualSelector
      ? [notSupported(`${field}.manualSelector`, manualSelector, ['nil', 'false'])]
      : []),
  ];
}
