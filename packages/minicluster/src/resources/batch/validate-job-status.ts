import type { Job, Stored } from '@liqo/kube';
import { validateCounts } from '../apps/validate-counts.ts';
import {
  type FieldProblem,
  invalid,
  invalidWithoutValue,
  required,
} from '../validation/field-problem.ts';

const conditions = 'status.conditions';

/** A job that has come to its end has done so in good order, and does not start again. */
export function validateJobStatusUpdate(next: Job, previous: Stored<Job>): FieldProblem[] {
  return [
    ...validateCounts(next.status, ['active', 'succeeded', 'failed', 'ready', 'terminating']),
    ...exclusive(next, 'Complete', 'Failed'),
    ...exclusive(next, 'Complete', 'FailureTarget'),
    ...validateCompletionTime(next),
    ...announced(next, 'Failed', 'FailureTarget'),
    ...announced(next, 'Complete', 'SuccessCriteriaMet'),
    ...validateFinished(next),
    ...validateReady(next),
    ...exclusive(next, 'SuccessCriteriaMet', 'Failed'),
    ...exclusive(next, 'SuccessCriteriaMet', 'FailureTarget'),
    ...validateProgress(next, previous),
  ];
}

function is({ status }: Job, type: string): boolean {
  return (status?.conditions ?? []).some((one) => one.type === type && one.status === 'True');
}

function isFinished(job: Job): boolean {
  return is(job, 'Complete') || is(job, 'Failed');
}

function exclusive(job: Job, one: string, other: string): FieldProblem[] {
  if (!is(job, one) || !is(job, other)) return [];
  const rule = `cannot set ${one}=True and ${other}=true conditions`;
  return [invalidWithoutValue(conditions, rule)];
}

/** Before its pods are gone, a job says what it is going to be. */
function announced(job: Job, end: string, announcement: string): FieldProblem[] {
  if (!is(job, end) || is(job, announcement)) return [];
  const rule = `cannot set ${end}=True condition without the ${announcement}=true condition`;
  return [invalidWithoutValue(conditions, rule)];
}

function validateCompletionTime(job: Job): FieldProblem[] {
  const { startTime, completionTime } = job.status ?? {};
  const field = 'status.completionTime';
  const problems: FieldProblem[] = [];
  if (completionTime && !is(job, 'Complete')) {
    const rule = 'cannot set completionTime when there is no Complete=True condition';
    problems.push(invalid(field, completionTime, rule));
  }
  if (!completionTime && is(job, 'Complete')) {
    problems.push(required(field, 'completionTime is required for Complete jobs'));
  }
  if (startTime && completionTime && completionTime < startTime) {
    problems.push(invalid(field, completionTime, 'must be equal to or after `startTime`'));
  }
  return problems;
}

function validateFinished(job: Job): FieldProblem[] {
  if (!isFinished(job)) return [];
  const { active = 0, startTime } = job.status ?? {};
  return [
    ...(active > 0
      ? [invalid('status.active', active, 'active>0 is invalid for finished job')]
      : []),
    ...(startTime ? [] : [required('status.startTime', 'startTime is required for finished job')]),
  ];
}

function validateReady({ status }: Job): FieldProblem[] {
  const { active = 0, ready = 0 } = status ?? {};
  const rule = 'cannot set more ready pods than active';
  return ready > active ? [invalid('status.ready', ready, rule)] : [];
}

function validateProgress(next: Job, previous: Stored<Job>): FieldProblem[] {
  const ends = ['Failed', 'Complete', 'FailureTarget'];
  const undone = ends.filter((type) => is(previous, type) && !is(next, type));
  const problems = undone.map((type) =>
    invalidWithoutValue(conditions, `cannot disable the terminal ${type}=True condition`),
  );
  const [status, old] = [next.status ?? {}, previous.status ?? {}];
  if (old.completionTime && status.completionTime && old.completionTime !== status.completionTime) {
    problems.push(invalid('status.completionTime', status.completionTime, 'field is immutable'));
  }
  const isMoved = old.startTime !== undefined && old.startTime !== status.startTime;
  if (isMoved && !next.spec?.suspend) {
    const rule = 'startTime cannot be removed for unsuspended job';
    problems.push(required('status.startTime', rule));
  }
  return problems;
}
