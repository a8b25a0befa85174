import { type LabelQuery, labelQueryFromSelector, matchesLabels, type Pod } from '@liqo/kube';
import type {
  PodAffinityTerm,
  ScopedResourceSelectorRequirement,
} from 'kubernetes-types/core/v1.d.ts';
import { qosClassOf } from '../../resources/pods/qos-class.ts';

/** Whether a pod is among those a quota is about. */
export function isPodInScope(pod: Pod, scope: ScopedResourceSelectorRequirement): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return endsByItself(pod);
    case 'NotTerminating':
      return !endsByItself(pod);
    case 'BestEffort':
      return qosClassOf(pod.spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(pod.spec) !== 'BestEffort';
    case 'PriorityClass':
      return hasPriorityClass(pod, scope);
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some((term) => term.namespaces?.length || term.namespaceSelector);
    default:
      return false;
  }
}

export function endsByItself(pod: Pod): boolean {
  return (pod.spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function hasPriorityClass(pod: Pod, scope: ScopedResourceSelectorRequirement): boolean {
  const { priorityClassName } = pod.spec ?? {};
  if (scope.operator === 'Exists') return Boolean(priorityClassName);
  const labels = priorityClassName ? { PriorityClass: priorityClassName } : {};
  return matchesLabels(queryOf(scope), labels);
}

function queryOf({ operator, values = [] }: ScopedResourceSelectorRequirement): LabelQuery {
  const matchExpressions = [{ key: 'PriorityClass', operator, values: [...values] }];
  return labelQueryFromSelector({ matchExpressions });
}

function affinityTerms(pod: Pod): readonly PodAffinityTerm[] {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
}
