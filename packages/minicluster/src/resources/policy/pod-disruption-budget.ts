import { PodDisruptionBudget } from '@liqo/kube';
import type { PodDisruptionBudgetSpec } from 'kubernetes-types/policy/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { validateCounts } from '../apps/validate-counts.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { ageColumn, integerColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, invalid, oneOf } from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { countOrPercent, notAbove100Percent } from '../validation/numbers.ts';

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

export const podDisruptionBudgets = defineResource<PodDisruptionBudget>({
  kind: PodDisruptionBudget,
  shortNames: ['pdb'],
  subresources: { status: partOf(PodDisruptionBudget) },
  columns: [
    nameColumn,
    textColumn('Min Available', ({ spec }: PodDisruptionBudget) => {
      return `${spec?.minAvailable ?? 'N/A'}`;
    }),
    textColumn('Max Unavailable', ({ spec }: PodDisruptionBudget) => {
      return `${spec?.maxUnavailable ?? 'N/A'}`;
    }),
    integerColumn('Allowed Disruptions', ({ status }: PodDisruptionBudget) => {
      return status?.disruptionsAllowed ?? 0;
    }),
    ageColumn,
  ],
  freshStatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  strategy: {
    validate: ({ spec = {} }: PodDisruptionBudget) => validateSpec(spec),
    validateStatusUpdate: ({ status }: PodDisruptionBudget) => validateCounts(status, counts),
    requiresVersion: true,
  },
});

function validateSpec(spec: PodDisruptionBudgetSpec): FieldProblem[] {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = spec;
  const hasBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  const rule = 'minAvailable and maxUnavailable cannot be both set';
  return [
    ...(hasBoth ? [invalid('spec', internalSpec(spec), rule)] : []),
    ...validateAmount('spec.minAvailable', minAvailable),
    ...validateAmount('spec.maxUnavailable', maxUnavailable),
    ...validateSelector('spec.selector', spec.selector),
    ...(unhealthyPodEvictionPolicy
      ? oneOf('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, [
          'AlwaysAllow',
          'IfHealthyBudget',
        ])
      : []),
  ];
}

function validateAmount(field: string, amount: number | string | undefined): FieldProblem[] {
  if (amount === undefined) return [];
  return [...countOrPercent(field, amount), ...notAbove100Percent(field, amount)];
}

/** As the server holds it, which is how it shows up in its messages. */
function internalSpec(spec: PodDisruptionBudgetSpec): object {
  return {
    MinAvailable: spec.minAvailable ?? null,
    Selector: spec.selector ?? null,
    MaxUnavailable: spec.maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  };
}
