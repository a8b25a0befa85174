import type { CronJob } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { parseSchedule } from './cron-schedule.ts';
import { planCronJob } from './plan-cron-job.ts';

const at = (time: string) => Date.parse(`2030-01-01T${time}Z`);

function plan(now: string, options: { last?: string; deadline?: number; schedule?: string } = {}) {
  const { last, deadline, schedule = '0 * * * *' } = options;
  const cronJob = stored<CronJob>('CronJob', {
    metadata: { creationTimestamp: '2030-01-01T00:00:00Z' },
    spec: {
      schedule,
      jobTemplate: {},
      ...(deadline !== undefined && { startingDeadlineSeconds: deadline }),
    },
    ...(last && { status: { lastScheduleTime: `2030-01-01T${last}Z` } }),
  });
  return planCronJob(cronJob, parseSchedule(schedule), at(now));
}

test('planCronJob() waits for the first time after creation', () => {
  const againMs = 30 * 60_000 + 100;
  expect(plan('00:30:00')).toEqual({ dueMs: undefined, missedMany: false, againMs });
});

test('planCronJob() starts a job when its time has come, once', () => {
  expect(plan('01:00:00')).toMatchObject({ dueMs: at('01:00:00') });
  expect(plan('01:00:00', { last: '01:00:00' })).toMatchObject({ dueMs: undefined });
});

test('planCronJob() makes up for the last of the times that were missed', () => {
  expect(plan('05:20:00')).toMatchObject({ dueMs: at('05:00:00'), missedMany: false });
  expect(plan('05:20:00', { deadline: 600 })).toMatchObject({ dueMs: undefined });
  expect(plan('05:05:00', { deadline: 600 })).toMatchObject({ dueMs: at('05:00:00') });
});

test('planCronJob() notices that very many were missed', () => {
  const many = plan('05:20:00', { schedule: '* * * * *' });
  expect(many).toMatchObject({ dueMs: at('05:20:00'), missedMany: true });
});

test('planCronJob() knows nothing to do for a time that never comes', () => {
  expect(plan('05:00:00', { schedule: '0 0 31 2 *' })).toBeUndefined();
});
