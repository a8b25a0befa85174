import { describe } from 'vitest';
import { daemonSets } from './daemon-sets.ts';
import { deployments } from './deployments.ts';
import { disruptionBudgets } from './disruption-budgets.ts';
import { jobs } from './jobs.ts';
import { replicaSets } from './replica-sets.ts';
import { statefulSets } from './stateful-sets.ts';
import type { GetSubject } from './subject.ts';

/** Deployment, ReplicaSet, StatefulSet, DaemonSet, Job and disruption budgets, with the tests in the role of the kubelet. */
export function workloads(subject: GetSubject): void {
  describe('workloads', () => {
    replicaSets(subject);
    deployments(subject);
    statefulSets(subject);
    daemonSets(subject);
    jobs(subject);
    disruptionBudgets(subject);
  });
}
