import { deepEqual, ResourceQuota, type Stored } from '@liqo/kube';
import type { ResourceQuotaSpec } from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn } from '../fill-in.ts';
import { roundAll } from '../pods/container-defaults.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, invalid } from '../validation/field-problem.ts';
import { quantityText, resourceQuantity } from '../validation/quantities.ts';
import { isStandardForQuota, validateQuotaResourceName } from '../validation/resource-names.ts';

export const resourceQuotas = defineResource<ResourceQuota>({
  kind: ResourceQuota,
  shortNames: ['quota'],
  subresources: { status: partOf(ResourceQuota) },
  columns: [
    nameColumn,
    textColumn('Request', (quota: ResourceQuota) => usageText(quota, false)),
    textColumn('Limit', (quota: ResourceQuota) => usageText(quota, true)),
    ageColumn,
  ],
  freshStatus: {},
  strategy: {
    generation: 'none',
    withDefaults,
    validate: ({ spec = {} }: ResourceQuota) => validateSpec(spec),
    validateUpdate: ({ spec }: ResourceQuota, previous: Stored<ResourceQuota>) =>
      sameScopes(spec?.scopes ?? [], previous.spec?.scopes ?? []),
    validateStatusUpdate: ({ status }: ResourceQuota) => [
      ...validateAmounts('status.hard', status?.hard ?? {}),
      ...validateAmounts('status.used', status?.used ?? {}),
    ],
    returnsDeleted: true,
  },
});

/** `pods: 1/4, requests.cpu: 200m/2`; limits have a column of their own. */
function usageText({ status }: ResourceQuota, ofLimits: boolean): string {
  const hard = Object.entries(status?.hard ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return hard
    .filter(([resource]) => resource.startsWith('limits.') === ofLimits)
    .map(([resource, amount]) => {
      return `${resource}: ${quantityText(status?.used?.[resource])}/${quantityText(amount)}`;
    })
    .join(', ');
}

function withDefaults(quota: ResourceQuota): ResourceQuota {
  const spec = changeIn(quota, 'spec', (one) => changeIn(one, 'hard', roundAll));
  return changeIn(spec, 'status', (status) => {
    return changeIn(changeIn(status, 'hard', roundAll), 'used', roundAll);
  });
}

function validateSpec(spec: ResourceQuotaSpec): FieldProblem[] {
  const hard = spec.hard ?? {};
  return [
    ...validateAmounts('spec.hard', hard),
    ...validateScopes('spec.scopes', spec.scopes ?? [], Object.keys(hard)),
  ];
}

function validateAmounts(field: string, amounts: Readonly<Record<string, string>>): FieldProblem[] {
  return Object.entries(amounts).flatMap(([resource, amount]) => [
    ...validateQuotaResourceName(`${field}[${resource}]`, resource),
    ...resourceQuantity(resource, `${field}[${resource}]`, amount),
  ]);
}

const podResources: readonly string[] = [
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
];

/** What each scope can be about. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: podResources,
  NotTerminating: podResources,
  NotBestEffort: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};

function validateScopes(
  field: string,
  asked: readonly string[],
  resources: readonly string[],
): FieldProblem[] {
  const problems = asked.flatMap((scope) => {
    const about = scopes[scope];
    if (!about) return [invalid(field, asked, 'unsupported scope')];
    return resources
      .toSorted()
      .filter((resource) => isStandardForQuota(resource) && !about.includes(resource))
      .map(() => invalid(field, asked, 'unsupported scope applied to resource'));
  });
  const conflicts = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].filter((pair) => pair.every((scope) => asked.includes(scope)));
  return [...problems, ...conflicts.map(() => invalid(field, asked, 'conflicting scopes'))];
}

function sameScopes(next: readonly string[], previous: readonly string[]): FieldProblem[] {
  if (deepEqual(next.toSorted(), previous.toSorted())) return [];
  return [invalid('spec.scopes', next, 'field is immutable')];
}
