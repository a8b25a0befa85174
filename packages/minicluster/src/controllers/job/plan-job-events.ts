import { findCondition, type Job } from '@liqo/kube';
import type { JobStatus } from 'kubernetes-types/batch/v1.d.ts';

export interface JobEvent {
  readonly type: 'normal' | 'warning';
  readonly reason: string;
  readonly message: string;
}

/** What people are told when the status of a job becomes another one. */
export function planJobEvents(job: Job, next: JobStatus): readonly JobEvent[] {
  const turned = (type: string, status: 'True' | 'False') => {
    const before = findCondition(job.status?.conditions, type)?.status;
    const condition = findCondition(next.conditions, type);
    return before !== status && condition?.status === status ? condition : undefined;
  };
  const failed = turned('Failed', 'True');
  return [
    ...(turned('Suspended', 'True') ? [normal('Suspended', 'Job suspended')] : []),
    ...(turned('Suspended', 'False') ? [normal('Resumed', 'Job resumed')] : []),
    ...(turned('Complete', 'True') ? completionEvents(job, next) : []),
    ...(failed ? [warning(failed.reason ?? '', failed.message ?? '')] : []),
  ];
}

function completionEvents({ spec }: Job, { succeeded = 0 }: JobStatus): readonly JobEvent[] {
  const completed = normal('Completed', 'Job completed');
  if (spec?.completions === undefined || succeeded <= spec.completions) return [completed];
  const message = 'Too many succeeded pods running after completion count reached';
  return [warning('TooManySucceededPods', message), completed];
}

function normal(reason: string, message: string): JobEvent {
  return { type: 'normal', reason, message };
}

function warning(reason: string, message: string): JobEvent {
  return { type: 'warning', reason, message };
}
