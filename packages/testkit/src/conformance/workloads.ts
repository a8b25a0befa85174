import { describe } from 'vitest';
import { controllerEvents } from './controller-events.ts';
import { cronJobs } from './cron-jobs.ts';
import { daemonSets } from './daemon-sets.ts';
import { deployments } from './deployments.ts';
import { disruptionBudgets } from './disruption-budgets.ts';
import { jobIndexLimits } from './job-index-limits.ts';
import { jobPolicies } from './job-policies.ts';
import { jobs } from './jobs.ts';
import { replicaSets } from './replica-sets.ts';
import { statefulSets } from './stateful-sets.ts';
import type { GetSubject } from './subject.ts';

/** Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob and disruption budgets, with the tests as kubelet. */
export function workloads(subject: GetSubject): void {
  describe('workloads', () => {
    replicaSets(subject);
    deployments(subject);
    statefulSets(subject);
    daemonSets(subject);
    jobs(subject);
    jobPolicies(subject);
    jobIndexLimits(subject);
    cronJobs(subject);
    disruptionBudgets(subject);
    controllerEvents(subject);
  });
}
