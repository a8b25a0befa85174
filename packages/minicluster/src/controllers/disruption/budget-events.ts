import type { PodDisruptionBudget } from '@liqo/kube';
import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.d.ts';

/** Pods that nobody manages have no scale of which a share could be taken. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}

/** The advice of kube-controller-manager about pods that nobody manages. */
export function unmanagedPodsMessage({ spec }: PodDisruptionBudget): string {
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${selectorText(spec?.selector)}) were found ` +
    'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}

/** As Go prints it. */
function selectorText(selector: LabelSelector | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const labels = Object.keys(matchLabels)
    .toSorted()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const requirements = matchExpressions.map((one) => `${requirementText(one)},`);
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

function requirementText({ key, operator, values = [] }: LabelSelectorRequirement): string {
  return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`;
}
