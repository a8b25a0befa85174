import { defineKind } from '@liqo/kube';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from 'kubernetes-types/autoscaling/v2.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { validateCounts } from '../apps/validate-counts.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { validateSegment } from '../networking/validate-reference.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { quantityText } from '../validation/quantities.ts';

const kind = defineKind<HorizontalPodAutoscaler>({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  scope: 'Namespaced',
});

export const horizontalPodAutoscalers = defineResource<HorizontalPodAutoscaler>({
  kind,
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: { status: partOf(kind) },
  columns: [
    nameColumn,
    textColumn('Reference', ({ spec }: HorizontalPodAutoscaler) => {
      return `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`;
    }),
    textColumn('Targets', ({ spec, status }: HorizontalPodAutoscaler) =>
      targetsText(spec?.metrics ?? [], status?.currentMetrics ?? []),
    ),
    textColumn(
      'MinPods',
      ({ spec }: HorizontalPodAutoscaler) => `${spec?.minReplicas ?? '<unset>'}`,
    ),
    textColumn('MaxPods', ({ spec }: HorizontalPodAutoscaler) => spec?.maxReplicas ?? 0),
    textColumn('Replicas', ({ status }: HorizontalPodAutoscaler) => status?.currentReplicas ?? 0),
    ageColumn,
  ],
  freshStatus: { desiredReplicas: 0, currentMetrics: null },
  strategy: {
    generation: 'none',
    withDefaults: (object: HorizontalPodAutoscaler) => changeIn(object, 'spec', defaultSpec),
    validate: ({ spec }: HorizontalPodAutoscaler) => (spec ? validateSpec(spec) : []),
    validateStatusUpdate: ({ status }: HorizontalPodAutoscaler) =>
      validateCounts(status, ['currentReplicas', 'desiredReplicas']),
  },
});

const cpuAt80Percent: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

function defaultSpec(spec: HorizontalPodAutoscalerSpec): HorizontalPodAutoscalerSpec {
  const complete = fillIn(spec, { minReplicas: 1, metrics: [cpuAt80Percent] });
  return changeIn(complete, 'behavior', ({ scaleUp, scaleDown }) => ({
    scaleUp: fillIn(scaleUp ?? {}, up),
    scaleDown: fillIn(scaleDown ?? {}, down),
  }));
}

const up: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

const down: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

const shown = 2;

function targetsText(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return '<none>';
  const all = specs.map((spec, i) => metricText(spec, statuses[i]));
  const text = all.slice(0, shown).join(', ');
  return all.length > shown ? `${text} + ${all.length - shown} more...` : text;
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  const { external, pods, object, resource, containerResource } = spec;
  switch (spec.type) {
    case 'External':
      return amountText(external?.target, status?.external?.current);
    case 'Pods':
      return `${averageText(status?.pods?.current)}/${averageText(pods?.target)}`;
    case 'Object':
      return amountText(object?.target, status?.object?.current);
    case 'Resource':
      return usageText(resource?.name, resource?.target, status?.resource?.current);
    case 'ContainerResource':
      return usageText(
        containerResource?.name,
        containerResource?.target,
        status?.containerResource?.current,
      );
    default:
      return '<unknown type>';
  }
}

function averageText(value: MetricTarget | MetricValueStatus | undefined): string {
  return value?.averageValue === undefined ? '<unknown>' : quantityText(value.averageValue);
}

function amountText(
  target: MetricTarget | undefined,
  current: MetricValueStatus | undefined,
): string {
  if (target?.averageValue !== undefined) {
    return `${averageText(current)}/${averageText(target)} (avg)`;
  }
  const now = current ? quantityText(current.value) : '<unknown>';
  return `${now}/${quantityText(target?.value)}`;
}

function usageText(
  name: string | undefined,
  target: MetricTarget | undefined,
  current: MetricValueStatus | undefined,
): string {
  if (target?.averageValue !== undefined) {
    return `${name}: ${averageText(current)}/${averageText(target)}`;
  }
  const percent = (value: number | undefined, otherwise: string) =>
    value === undefined ? otherwise : `${value}%`;
  const now = percent(current?.averageUtilization, '<unknown>');
  return `${name}: ${now}/${percent(target?.averageUtilization, '<auto>')}`;
}

function validateSpec(spec: HorizontalPodAutoscalerSpec): FieldProblem[] {
  const { minReplicas, maxReplicas, scaleTargetRef, metrics = [] } = spec;
  const problems: FieldProblem[] = [];
  if (minReplicas !== undefined && minReplicas < 1) {
    const rule = 'must be greater than or equal to 1';
    problems.push(invalid('spec.minReplicas', minReplicas, rule));
  }
  if (maxReplicas < 1) {
    problems.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const rule = 'must be greater than or equal to `minReplicas`';
    problems.push(invalid('spec.maxReplicas', maxReplicas, rule));
  }
  return [
    ...problems,
    ...validateSegment('spec.scaleTargetRef.kind', scaleTargetRef.kind),
    ...validateSegment('spec.scaleTargetRef.name', scaleTargetRef.name),
    ...validateGroup('spec.scaleTargetRef.apiVersion', scaleTargetRef.apiVersion ?? ''),
    ...metrics.flatMap((metric, i) => validateMetric(`spec.metrics[${i}]`, metric)),
    ...validateScaleToZero('spec.metrics', spec),
  ];
}

function validateGroup(field: string, apiVersion: string): FieldProblem[] {
  if (apiVersion.includes('/')) return [];
  return [invalid(field, apiVersion, 'apiVersion must specify API group')];
}

/** What is not running can only be woken up from outside. */
function validateScaleToZero(
  field: string,
  { minReplicas, metrics = [] }: HorizontalPodAutoscalerSpec,
): FieldProblem[] {
  const isWoken = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas !== 0 || isWoken) return [];
  const rule =
    'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbidden(field, rule)];
}

/** The type of a metric, and the member that says more about it. */
const sources: Readonly<Record<string, keyof MetricSpec>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

function validateMetric(field: string, metric: MetricSpec): FieldProblem[] {
  const source = sources[metric.type];
  const unknown = oneOf(`${field}.type`, metric.type, Object.keys(sources));
  // Said twice by the server.
  if (!source) return [...unknown, ...unknown];
  if (metric[source]) return [];
  return [required(`${field}.${source}`, 'must populate information for the given metric source')];
}
