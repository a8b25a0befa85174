import type { Job, Pod, Stored } from '@liqo/kube';
import type { JobCondition, SuccessPolicyRule } from 'kubernetes-types/batch/v1.d.ts';
import { parseIndexes } from './index-set.ts';
import type { JobCounts } from './job-counts.ts';
import { deadlineInMs } from './job-times.ts';
import { matchFailurePolicy } from './pod-failure-policy.ts';
import { outcomeOf } from './pod-outcome.ts';

/** Decided, but not over before the last pod has ended. */
export interface Verdict {
  readonly success: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface JobEvidence {
  readonly job: Stored<Job>;
  readonly pods: readonly Stored<Pod>[];
  readonly activeCount: number;
  readonly counts: JobCounts;
  readonly nowMs: number;
}

/** What becomes of the job, in the order in which kube-controller-manager looks for reasons; undefined if it goes on. */
export function judgeJob(evidence: JobEvidence): Verdict | undefined {
  return (
    formerVerdict(evidence.job.status?.conditions) ??
    forbiddenFailure(evidence) ??
    tooManyFailures(evidence) ??
    tooLate(evidence) ??
    failedIndexes(evidence) ??
    matchedSuccess(evidence) ??
    completion(evidence)
  );
}

export function total(counts: JobCounts, outcome: 'succeeded' | 'failed'): number {
  return counts[outcome] + counts.uncounted[outcome].length;
}

function formerVerdict(conditions: readonly JobCondition[] | undefined): Verdict | undefined {
  const decided = conditions?.find(
    ({ type, status }) =>
      status === 'True' && ['FailureTarget', 'SuccessCriteriaMet'].includes(type),
  );
  if (!decided) return undefined;
  const { type, reason = '', message = '' } = decided;
  return { success: type === 'SuccessCriteriaMet', reason, message };
}

function forbiddenFailure({ job, pods }: JobEvidence): Verdict | undefined {
  for (const pod of pods) {
    if (outcomeOf(job, pod) !== 'Failed') continue;
    const { action, message } = matchFailurePolicy(job.spec?.podFailurePolicy, pod);
    if (action === 'FailJob') return { success: false, reason: 'PodFailurePolicy', message };
  }
  return undefined;
}

function tooManyFailures({ job, pods, counts }: JobEvidence): Verdict | undefined {
  const { backoffLimit = 6, template } = job.spec ?? {};
  const restarts = template?.spec?.restartPolicy === 'OnFailure' ? countRestarts(pods) : 0;
  const failures = total(counts, 'failed') + counts.keptFailures;
  const isTooMany = failures > backoffLimit || restarts >= Math.max(1, backoffLimit);
  const message = 'Job has reached the specified backoff limit';
  return isTooMany ? { success: false, reason: 'BackoffLimitExceeded', message } : undefined;
}

/** Containers that are started again in their pod have failed, too. */
function countRestarts(pods: readonly Pod[]): number {
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [
      ...(status?.initContainerStatuses ?? []),
      ...(status?.containerStatuses ?? []),
    ]);
  return restarts.reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function tooLate({ job, nowMs }: JobEvidence): Verdict | undefined {
  if (deadlineInMs(job, nowMs) !== 0) return undefined;
  const message = 'Job was active longer than specified deadline';
  return { success: false, reason: 'DeadlineExceeded', message };
}

function failedIndexes({ job, counts }: JobEvidence): Verdict | undefined {
  const { completions = 0, maxFailedIndexes = completions } = job.spec ?? {};
  const failed = counts.byIndex?.failed.size ?? 0;
  const completed = counts.completed?.size ?? 0;
  if (failed > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return { success: false, reason: 'MaxFailedIndexesExceeded', message };
  }
  if (failed === 0 || failed + completed < completions) return undefined;
  return { success: false, reason: 'FailedIndexes', message: 'Job has failed indexes' };
}

function matchedSuccess({ job, counts }: JobEvidence): Verdict | undefined {
  const { completions = 0, successPolicy } = job.spec ?? {};
  const { completed } = counts;
  if (!completed || completed.size === 0) return undefined;
  const index = successPolicy?.rules.findIndex((rule) => isMet(rule, completed, completions)) ?? -1;
  if (index < 0) return undefined;
  return { success: true, reason: 'SuccessPolicy', message: `Matched rules at index ${index}` };
}

function isMet(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completed: ReadonlySet<number>,
  completions: number,
): boolean {
  const isEnough = (count: number) => succeededCount !== undefined && count >= succeededCount;
  if (succeededIndexes === undefined) return isEnough(completed.size);
  const required = parseIndexes(succeededIndexes, completions);
  const met = [...required].filter((index) => completed.has(index)).length;
  return required.size > 0 && (met === required.size || isEnough(met));
}

function completion({ job, activeCount, counts }: JobEvidence): Verdict | undefined {
  const { completions } = job.spec ?? {};
  const succeeded = total(counts, 'succeeded');
  const isDone =
    completions === undefined ? succeeded > 0 && activeCount === 0 : succeeded >= completions;
  if (!isDone) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { success: true, reason: 'CompletionsReached', message };
}
