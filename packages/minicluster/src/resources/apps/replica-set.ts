import { ReplicaSet, ReplicationController, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf, scaleSubresource } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { validatePodTemplate } from '../pods/validate-pod.ts';
import { ageColumn, integerColumn, textColumn, wide } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { labelText, queryText, selectorText } from '../printing/label-text.ts';
import { type FieldProblem, required } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { nonNegative } from '../validation/numbers.ts';
import { replicaScale } from './replica-scale.ts';
import { notMoreThanReplicas, validateCounts } from './validate-counts.ts';
import { matchesTemplate, runsForever, validateWorkload } from './validate-template.ts';

type Replicated = ReplicaSet | ReplicationController;

const countColumns = [
  integerColumn('Desired', ({ spec }: Replicated) => spec?.replicas ?? 0),
  integerColumn('Current', ({ status }: Replicated) => status?.replicas ?? 0),
  integerColumn('Ready', ({ status }: Replicated) => status?.readyReplicas ?? 0),
];

function validateStatus({ status }: Replicated): FieldProblem[] {
  const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  return [
    ...validateCounts(status, [...counts, 'observedGeneration']),
    ...notMoreThanReplicas(status, parts),
  ];
}

export const replicaSets = defineResource<ReplicaSet>({
  kind: ReplicaSet,
  shortNames: ['rs'],
  categories: ['all'],
  subresources: { scale: scaleSubresource, status: partOf(ReplicaSet) },
  scale: replicaScale(({ spec }: Stored<ReplicaSet>) => queryText(spec?.selector)),
  columns: [
    nameColumn,
    ...countColumns,
    ageColumn,
    ...wide(
      ...containerColumns(({ spec }: ReplicaSet) => spec?.template),
      textColumn('Selector', ({ spec }: ReplicaSet) => selectorText(spec?.selector)),
    ),
  ],
  freshStatus: { replicas: 0 },
  strategy: {
    withDefaults: (object: ReplicaSet) =>
      changeIn(object, 'spec', (spec) =>
        changeIn(fillIn(spec, { replicas: 1 }), 'template', defaultPodTemplate),
      ),
    validate: validateReplicaSet,
    validateUpdate: (next: ReplicaSet, previous: Stored<ReplicaSet>) =>
      unchanged('spec.selector', next.spec?.selector, previous.spec?.selector),
    validateStatusUpdate: validateStatus,
  },
});

function validateReplicaSet({ spec }: ReplicaSet): FieldProblem[] {
  if (!spec) return [];
  const { replicas, minReadySeconds, selector, template = {} } = spec;
  return [
    ...nonNegative('spec.replicas', replicas),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...validateWorkload({ selector, template, name: 'ReplicaSet', emptyName: 'deployment' }),
  ];
}

export const replicationControllers = defineResource<ReplicationController>({
  kind: ReplicationController,
  shortNames: ['rc'],
  categories: ['all'],
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  subresources: { scale: scaleSubresource, status: partOf(ReplicationController) },
  scale: replicaScale(({ spec }: Stored<ReplicationController>) =>
    queryText({ matchLabels: spec?.selector ?? {} }),
  ),
  columns: [
    nameColumn,
    ...countColumns,
    ageColumn,
    ...wide(
      ...containerColumns(({ spec }: ReplicationController) => spec?.template),
      textColumn('Selector', ({ spec }: ReplicationController) => labelText(spec?.selector)),
    ),
  ],
  freshStatus: { replicas: 0 },
  strategy: {
    orphansByDefault: true,
    withDefaults: defaultController,
    validate: validateController,
    validateStatusUpdate: validateStatus,
  },
});

/** What the template is labelled with is what the controller looks for. */
function defaultController(object: ReplicationController): ReplicationController {
  const labels = object.spec?.template?.metadata?.labels;
  const complete = changeIn(object, 'spec', (spec) => {
    const filled = fillIn(spec, { replicas: 1, ...(labels && { selector: labels }) });
    return changeIn(filled, 'template', defaultPodTemplate);
  });
  if (!labels) return complete;
  return changeIn(complete, 'metadata', (metadata) => fillIn(metadata, { labels }));
}

function validateController({ spec = {} }: ReplicationController): FieldProblem[] {
  const { replicas, minReadySeconds, selector, template } = spec;
  const name = 'ReplicationController';
  const workload = { selector: { matchLabels: selector ?? {} }, name, emptyName: name };
  const isEmpty = Object.keys(selector ?? {}).length === 0;
  return [
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...(isEmpty ? [required('spec.selector')] : []),
    ...nonNegative('spec.replicas', replicas),
    ...(template
      ? [
          ...(isEmpty ? [] : matchesTemplate(workload.selector, template)),
          ...validatePodTemplate('spec.template', template),
          ...runsForever({ ...workload, template }),
        ]
      : [required('spec.template')]),
  ];
}
