import { type CronJob, parseTime, type Stored } from '@liqo/kube';
import type { CronSchedule } from './cron-schedule.ts';

/** Clocks may differ by so much: it is looked a little after the time. */
const clockSkewMs = 100;
/** From so many missed times on, people are warned. */
const manyMissed = 100;

export interface CronPlan {
  /** The time for which a job is to be started now, if there is one. */
  readonly dueMs: number | undefined;
  readonly missedMany: boolean;
  /** When to look again, in milliseconds. */
  readonly againMs: number | undefined;
}

/** Undefined for a schedule that never comes, such as 31 February. */
export function planCronJob(
  cronJob: Stored<CronJob>,
  schedule: CronSchedule,
  nowMs: number,
): CronPlan | undefined {
  const lastMs = parseTime(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp);
  const { startingDeadlineSeconds } = cronJob.spec ?? {};
  const tooLateMs =
    startingDeadlineSeconds === undefined
      ? Number.NEGATIVE_INFINITY
      : nowMs - startingDeadlineSeconds * 1000;
  const recent = mostRecent(schedule, Math.max(lastMs, tooLateMs), nowMs);
  const nextMs = schedule.next(Math.max(lastMs, nowMs));
  if (!recent || nextMs === undefined) return undefined;
  return {
    dueMs: recent.ms,
    missedMany: recent.missed > manyMissed,
    againMs: nextMs + clockSkewMs - nowMs,
  };
}

/** The last time between the two, and roughly how many there were. */
function mostRecent(
  schedule: CronSchedule,
  earliestMs: number,
  nowMs: number,
): { readonly ms: number | undefined; readonly missed: number } | undefined {
  const firstMs = schedule.next(earliestMs);
  if (firstMs === undefined) return undefined;
  if (nowMs < firstMs) return { ms: undefined, missed: 0 };
  const secondMs = schedule.next(firstMs) ?? Number.POSITIVE_INFINITY;
  if (nowMs < secondMs) return { ms: firstMs, missed: 0 };
  const intervalMs = secondMs - firstMs;
  const missed = Math.floor((nowMs - firstMs) / intervalMs) + 1;
  let ms = firstMs;
  let nextMs = schedule.next(firstMs + (missed - 2) * intervalMs);
  while (nextMs !== undefined && nextMs <= nowMs) {
    ms = nextMs;
    nextMs = schedule.next(ms);
  }
  return { ms, missed };
}
