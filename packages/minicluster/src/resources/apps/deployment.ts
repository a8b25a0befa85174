import { Deployment, type Stored } from '@liqo/kube';
import type { DeploymentSpec, DeploymentStrategy } from 'kubernetes-types/apps/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf, scaleSubresource } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { queryText } from '../printing/label-text.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  notSupported,
} from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import {
  amountOf,
  countOrPercent,
  nonNegative,
  notAbove100Percent,
} from '../validation/numbers.ts';
import { readyColumn } from './ready-column.ts';
import { replicaScale } from './replica-scale.ts';
import { notMoreThanReplicas, validateCounts } from './validate-counts.ts';
import { validateWorkload } from './validate-template.ts';

export const deployments = defineResource<Deployment>({
  kind: Deployment,
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: { scale: scaleSubresource, status: partOf(Deployment) },
  scale: replicaScale(({ spec }: Stored<Deployment>) => queryText(spec?.selector)),
  columns: [
    nameColumn,
    readyColumn,
    textColumn('Up-to-date', ({ status }: Deployment) => status?.updatedReplicas ?? 0),
    textColumn('Available', ({ status }: Deployment) => status?.availableReplicas ?? 0),
    ageColumn,
    ...wide(
      ...containerColumns(({ spec }: Deployment) => spec?.template),
      textColumn('Selector', ({ spec }: Deployment) => queryText(spec?.selector) ?? '<invalid>'),
    ),
  ],
  freshStatus: {},
  strategy: {
    generation: 'spec and annotations',
    withDefaults: (object: Deployment) => changeIn(object, 'spec', defaultSpec),
    onStatusUpdate: keepLabels,
    validate: validateDeployment,
    validateUpdate: (next: Deployment, previous: Stored<Deployment>) =>
      unchanged('spec.selector', next.spec?.selector, previous.spec?.selector),
    validateStatusUpdate: ({ status }: Deployment) => [
      ...validateCounts(status, counts),
      ...notMoreThanReplicas(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
    ],
  },
});

const counts: readonly string[] = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

function defaultSpec(spec: DeploymentSpec): DeploymentSpec {
  const complete = fillIn(spec, {
    replicas: 1,
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  return changeIn(changeIn(complete, 'strategy', defaultStrategy), 'template', defaultPodTemplate);
}

function defaultStrategy(strategy: DeploymentStrategy): DeploymentStrategy {
  const complete = fillIn(strategy, { type: 'RollingUpdate' });
  if (complete.type !== 'RollingUpdate') return complete;
  const quarter = { maxUnavailable: '25%', maxSurge: '25%' };
  return { ...complete, rollingUpdate: fillIn(complete.rollingUpdate ?? {}, quarter) };
}

function keepLabels(next: Deployment, previous: Stored<Deployment>): Deployment {
  const { labels: _, ...metadata } = next.metadata ?? {};
  const { labels } = previous.metadata;
  return { ...next, metadata: { ...metadata, ...(labels && { labels }) } };
}

function validateDeployment({ spec }: Deployment): FieldProblem[] {
  if (!spec) return [];
  const { replicas, selector, template, strategy = {}, progressDeadlineSeconds } = spec;
  const minReadySeconds = spec.minReadySeconds ?? 0;
  const field = 'spec.progressDeadlineSeconds';
  const isShort =
    progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds;
  return [
    ...nonNegative('spec.replicas', replicas),
    ...validateWorkload({ selector, template, name: 'ReplicaSet', emptyName: 'deployment' }),
    ...validateStrategy('spec.strategy', strategy),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...nonNegative(field, progressDeadlineSeconds),
    ...(isShort
      ? [invalid(field, progressDeadlineSeconds, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function validateStrategy(field: string, strategy: DeploymentStrategy): FieldProblem[] {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'Recreate') {
    const rule = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate ? [forbidden(`${field}.rollingUpdate`, rule)] : [];
  }
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [notSupported(field, shown, ['Recreate', 'RollingUpdate'])];
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const at = `${field}.rollingUpdate.maxUnavailable`;
  const isStuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return [
    ...countOrPercent(at, maxUnavailable),
    ...countOrPercent(`${field}.rollingUpdate.maxSurge`, maxSurge),
    ...(isStuck ? [invalid(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...notAbove100Percent(at, maxUnavailable),
  ];
}
