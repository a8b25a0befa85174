import type * as batch from 'kubernetes-types/batch/v1.d.ts';
import { defineKind } from '../kind.ts';

export type Job = batch.Job;
export const Job = defineKind<Job>({
  apiVersion: 'batch/v1',
  kind: 'Job',
  plural: 'jobs',
  scope: 'Namespaced',
});

export type CronJob = batch.CronJob;
export const CronJob = defineKind<CronJob>({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  scope: 'Namespaced',
});
