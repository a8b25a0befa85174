import type { Pod, Stored } from '@liqo/kube';
import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from 'kubernetes-types/batch/v1.d.ts';

export interface PolicyMatch {
  readonly action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';
  /** Why the job has failed, if that is the action. */
  readonly message: string;
}

/** What the first rule that a failed pod matches says about it; to be counted if there is none. */
export function matchFailurePolicy(
  policy: PodFailurePolicy | undefined,
  pod: Stored<Pod>,
): PolicyMatch {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const fact = matchRule(rule, pod);
    const action = rule.action as PolicyMatch['action'];
    if (fact) return { action, message: `${fact} matching ${action} rule at index ${index}` };
  }
  return { action: 'Count', message: '' };
}

function matchRule(rule: PodFailurePolicyRule, { metadata, status }: Stored<Pod>) {
  const path = `${metadata.namespace}/${metadata.name}`;
  if (rule.onExitCodes) {
    const container = findContainer(status, rule.onExitCodes);
    const exitCode = container?.state?.terminated?.exitCode;
    return (
      container && `Container ${container.name} for pod ${path} failed with exit code ${exitCode}`
    );
  }
  const condition = status?.conditions?.find(({ type, status: is }) =>
    rule.onPodConditions?.some((pattern) => pattern.type === type && pattern.status === is),
  );
  return condition && `Pod ${path} has condition ${condition.type}`;
}

function findContainer(
  status: Pod['status'],
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
) {
  const containers = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
  ];
  return containers.find(({ name, state }) => {
    const { exitCode = 0 } = state?.terminated ?? {};
    const isMeant = containerName === undefined || containerName === name;
    return isMeant && exitCode !== 0 && values.includes(exitCode) === (operator === 'In');
  });
}
