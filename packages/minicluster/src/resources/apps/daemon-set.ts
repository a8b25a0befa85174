import { DaemonSet, deepEqual, type Stored } from '@liqo/kube';
import type { DaemonSetSpec, DaemonSetUpdateStrategy } from 'kubernetes-types/apps/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { validatePodTemplate } from '../pods/validate-pod.ts';
import { ageColumn, integerColumn, textColumn, wide } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { labelText, selectorText } from '../printing/label-text.ts';
import { type FieldProblem, invalid, notSupported, required } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { isEmptySelector, selectorValue, validateSelector } from '../validation/labels.ts';
import {
  amountOf,
  countOrPercent,
  nonNegative,
  notAbove100Percent,
} from '../validation/numbers.ts';
import { validateCounts } from './validate-counts.ts';
import { matchesTemplate, runsForever } from './validate-template.ts';

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

export const daemonSets = defineResource<DaemonSet>({
  kind: DaemonSet,
  shortNames: ['ds'],
  categories: ['all'],
  subresources: { status: partOf(DaemonSet) },
  columns: [
    nameColumn,
    integerColumn('Desired', ({ status }: DaemonSet) => status?.desiredNumberScheduled ?? 0),
    integerColumn('Current', ({ status }: DaemonSet) => status?.currentNumberScheduled ?? 0),
    integerColumn('Ready', ({ status }: DaemonSet) => status?.numberReady ?? 0),
    integerColumn('Up-to-date', ({ status }: DaemonSet) => status?.updatedNumberScheduled ?? 0),
    integerColumn('Available', ({ status }: DaemonSet) => status?.numberAvailable ?? 0),
    textColumn('Node Selector', ({ spec }: DaemonSet) => {
      return labelText(spec?.template.spec?.nodeSelector);
    }),
    ageColumn,
    ...wide(
      ...containerColumns(({ spec }: DaemonSet) => spec?.template),
      textColumn('Selector', ({ spec }: DaemonSet) => selectorText(spec?.selector)),
    ),
  ],
  freshStatus: {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  },
  strategy: {
    withDefaults: (object: DaemonSet) => changeIn(object, 'spec', defaultSpec),
    onCreate: (object: DaemonSet) => withTemplateGeneration(object, 1),
    onUpdate: countTemplates,
    validate: ({ spec }: DaemonSet) => (spec ? validateSpec(spec) : []),
    validateUpdate: (next: DaemonSet, previous: Stored<DaemonSet>) =>
      unchanged('spec.selector', next.spec?.selector, previous.spec?.selector),
    validateStatusUpdate: ({ status }: DaemonSet) => validateCounts(status, counts),
  },
});

function defaultSpec(spec: DaemonSetSpec): DaemonSetSpec {
  const complete = fillIn(spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
  const strategy = changeIn(complete, 'updateStrategy', defaultStrategy);
  return changeIn(strategy, 'template', defaultPodTemplate);
}

function defaultStrategy(strategy: DaemonSetUpdateStrategy): DaemonSetUpdateStrategy {
  const complete = fillIn(strategy, { type: 'RollingUpdate' });
  if (complete.type !== 'RollingUpdate') return complete;
  const one = { maxUnavailable: 1, maxSurge: 0 };
  return { ...complete, rollingUpdate: fillIn(complete.rollingUpdate ?? {}, one) };
}

const generationAnnotation = 'deprecated.daemonset.template.generation';

/** The template has a version of its own, which used to be a field and lives on as an annotation. */
function withTemplateGeneration(object: DaemonSet, generation: number): DaemonSet {
  const annotations = { ...object.metadata?.annotations, [generationAnnotation]: `${generation}` };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function countTemplates(next: DaemonSet, previous: Stored<DaemonSet>): DaemonSet {
  const generation = Number(previous.metadata.annotations?.[generationAnnotation] ?? 1);
  const isSame = deepEqual(next.spec?.template, previous.spec?.template);
  return withTemplateGeneration(next, isSame ? generation : generation + 1);
}

function validateSpec(spec: DaemonSetSpec): FieldProblem[] {
  const { selector, template } = spec;
  const isEmpty = selector && isEmptySelector(selector);
  const rule = 'empty selector is invalid for daemonset';
  const workload = { selector, template, name: 'DaemonSet', emptyName: 'daemonset' };
  return [
    ...validateSelector('spec.selector', selector),
    ...matchesTemplate(selector, template),
    ...(isEmpty ? [invalid('spec.selector', selectorValue(selector), rule)] : []),
    ...validatePodTemplate('spec.template', template),
    ...runsForever(workload),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateStrategy('spec.updateStrategy', spec.updateStrategy ?? {}),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ];
}

function validateStrategy(field: string, strategy: DaemonSetUpdateStrategy): FieldProblem[] {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [notSupported(field, shown, ['RollingUpdate', 'OnDelete'])];
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const [unavailable, surge] = [
    `${field}.rollingUpdate.maxUnavailable`,
    `${field}.rollingUpdate.maxSurge`,
  ];
  return [
    ...countOrPercent(unavailable, maxUnavailable),
    ...countOrPercent(surge, maxSurge),
    ...notAbove100Percent(unavailable, maxUnavailable),
    ...notAbove100Percent(surge, maxSurge),
    ...validateExactlyOne(unavailable, maxUnavailable, surge, maxSurge),
  ];
}

function validateExactlyOne(
  unavailable: string,
  maxUnavailable: number | string,
  surge: string,
  maxSurge: number | string,
): FieldProblem[] {
  const [removes, adds] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (removes && adds) {
    return [invalid(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')];
  }
  return removes || adds ? [] : [required(unavailable, 'cannot be 0 when maxSurge is 0')];
}
