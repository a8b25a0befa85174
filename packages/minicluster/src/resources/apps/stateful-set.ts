import { deepEqual, StatefulSet, type Stored } from '@liqo/kube';
import type { StatefulSetSpec, StatefulSetUpdateStrategy } from 'kubernetes-types/apps/v1.d.ts';
import type { PersistentVolumeClaim, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf, scaleSubresource } from '../define-resource.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { ageColumn, wide } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { queryText } from '../printing/label-text.ts';
import { defaultClaimSpec, validateClaimSpec } from '../storage/claim-spec.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  oneOf,
} from '../validation/field-problem.ts';
import { allowingPrefix, dnsLabelFaults } from '../validation/names.ts';
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

export const statefulSets = defineResource<StatefulSet>({
  kind: StatefulSet,
  shortNames: ['sts'],
  categories: ['all'],
  subresources: { scale: scaleSubresource, status: partOf(StatefulSet) },
  scale: replicaScale(({ spec }: Stored<StatefulSet>) => queryText(spec?.selector)),
  columns: [
    nameColumn,
    readyColumn,
    ageColumn,
    ...wide(...containerColumns(({ spec }: StatefulSet) => spec?.template)),
  ],
  freshStatus: { replicas: 0, availableReplicas: 0 },
  strategy: {
    withDefaults: (object: StatefulSet) => changeIn(object, 'spec', defaultSpec),
    validate: ({ spec }: StatefulSet) => (spec ? validateSpec(spec) : []),
    validateUpdate,
    validateStatusUpdate: ({ status }: StatefulSet) => [
      ...validateCounts(status, ['replicas', ...parts]),
      ...notMoreThanReplicas(status, parts, 'status.readyReplicas'),
    ],
    validateName: allowingPrefix(dnsLabelFaults),
  },
});

const parts: readonly string[] = [
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
];

function defaultSpec(spec: StatefulSetSpec): StatefulSetSpec {
  let complete = fillIn(spec, {
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: {},
    replicas: 1,
    revisionHistoryLimit: 10,
  });
  complete = changeIn(complete, 'updateStrategy', defaultStrategy);
  complete = changeIn(complete, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    fillIn(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  );
  complete = changeEach(complete, 'volumeClaimTemplates', defaultClaim);
  return changeIn(complete, 'template', defaultPodTemplate);
}

function defaultStrategy(strategy: StatefulSetUpdateStrategy): StatefulSetUpdateStrategy {
  const complete: StatefulSetUpdateStrategy = strategy.type
    ? strategy
    : { rollingUpdate: {}, ...strategy, type: 'RollingUpdate' };
  if (complete.type !== 'RollingUpdate') return complete;
  return changeIn(complete, 'rollingUpdate', (update) => fillIn(update, { partition: 0 }));
}

/** Claims are written out in full, as if they were there already. */
function defaultClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const complete = fillIn(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: {} });
  const withStatus = changeIn(complete, 'status', (status) => fillIn(status, { phase: 'Pending' }));
  return changeIn(withStatus, 'spec', defaultClaimSpec);
}

function validateSpec(spec: StatefulSetSpec): FieldProblem[] {
  const { podManagementPolicy = '', selector, serviceName, volumeClaimTemplates = [] } = spec;
  const start = spec.ordinals?.start;
  const workload = { selector, name: 'StatefulSet', emptyName: 'statefulset' };
  return [
    ...(podManagementPolicy === 'OrderedReady' || podManagementPolicy === 'Parallel'
      ? []
      : [
          invalid(
            'spec.podManagementPolicy',
            podManagementPolicy,
            "must be 'OrderedReady' or 'Parallel'",
          ),
        ]),
    ...validateStrategy('spec.updateStrategy', spec.updateStrategy ?? {}),
    ...validateRetention(spec),
    ...volumeClaimTemplates.flatMap((claim, i) =>
      validateClaimSpec(`spec.volumeClaimTemplates[${i}].spec`, claim.spec ?? {}),
    ),
    ...nonNegative('spec.replicas', spec.replicas),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.ordinals.start', start),
    ...(serviceName
      ? invalidFor('spec.serviceName', serviceName, dnsLabelFaults(serviceName))
      : []),
    ...validateWorkload({ ...workload, template: templateOfPods(spec) }),
  ];
}

/** As the controller will complete it: with a volume for each claim, and names of its own. */
function templateOfPods({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  if (!template.spec) return template;
  const { hostname: _, subdomain: __, ...spec } = template.spec;
  const claimed = volumeClaimTemplates.map(({ metadata }) => {
    const claimName = metadata?.name ?? '';
    return { name: claimName, persistentVolumeClaim: { claimName } };
  });
  const names = new Set(claimed.map(({ name }) => name));
  const others = (spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...template, spec: { ...spec, volumes: [...claimed, ...others] } };
}

function validateStrategy(field: string, strategy: StatefulSetUpdateStrategy): FieldProblem[] {
  const { type, rollingUpdate } = strategy;
  const at = `${field}.rollingUpdate`;
  if (type === 'OnDelete') {
    if (!rollingUpdate) return [];
    const shown = { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: null };
    return [invalid(at, shown, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  if (type !== 'RollingUpdate') {
    const shown = { Type: type ?? '', RollingUpdate: null };
    return [invalid(field, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const { partition, maxUnavailable } = rollingUpdate ?? {};
  if (maxUnavailable === undefined) return nonNegative(`${at}.partition`, partition);
  const isNone = amountOf(maxUnavailable) === 0;
  return [
    ...nonNegative(`${at}.partition`, partition),
    ...countOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...(isNone ? [invalid(`${at}.maxUnavailable`, maxUnavailable, 'cannot be 0')] : []),
    ...notAbove100Percent(`${at}.maxUnavailable`, maxUnavailable),
  ];
}

function validateRetention(spec: StatefulSetSpec): FieldProblem[] {
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  const field = 'spec.persistentVolumeClaimRetentionPolicy';
  return [
    ...oneOf(`${field}.whenDeleted`, policy?.whenDeleted ?? 'Retain', ['Retain', 'Delete']),
    ...oneOf(`${field}.whenScaled`, policy?.whenScaled ?? 'Retain', ['Retain', 'Delete']),
  ];
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function validateUpdate(next: StatefulSet, previous: Stored<StatefulSet>): FieldProblem[] {
  if (deepEqual(fixedPart(next.spec), fixedPart(previous.spec))) return [];
  const rule =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden('spec', rule)];
}

function fixedPart(spec: StatefulSetSpec | undefined): object {
  const fixed = Object.entries(spec ?? {}).filter(
    ([field]) => !(changeable as readonly string[]).includes(field),
  );
  return Object.fromEntries(fixed);
}
