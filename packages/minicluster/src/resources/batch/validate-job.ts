import type { Job } from '@liqo/kube';
import type { JobSpec } from 'kubernetes-types/batch/v1.d.ts';
import { matchesTemplate } from '../apps/validate-template.ts';
import { validatePodTemplate } from '../pods/validate-pod.ts';
import {
  type FieldProblem,
  invalid,
  notSupported,
  oneOf,
  required,
  sortedMap,
} from '../validation/field-problem.ts';
import { selectorValue, selects, validateSelector } from '../validation/labels.ts';
import { dnsLabelFaults } from '../validation/names.ts';
import { nonNegative } from '../validation/numbers.ts';
import { validateFailurePolicy } from './validate-failure-policy.ts';

export function validateJob(job: Job): FieldProblem[] {
  const { spec } = job;
  if (!spec) return [];
  return [
    ...validateGeneratedSelector(job, spec),
    ...validateWholeSpec(spec),
    ...validateIndexedName(job, spec),
  ];
}

export function validateWholeSpec(spec: JobSpec): FieldProblem[] {
  return [...validateJobSpec('spec', spec), ...validateJobSelector(spec)];
}

/** The labels that the server put on the template are still the ones that the selector asks for. */
function validateGeneratedSelector({ metadata }: Job, spec: JobSpec): FieldProblem[] {
  if (spec.manualSelector || !spec.selector) return [];
  const { uid = '', name = '' } = metadata ?? {};
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = spec.template.metadata?.labels ?? {};
  const field = 'spec.template.metadata';
  const wrong = Object.entries(expected).flatMap(([key, value]) => {
    const actual = labels[key];
    if (actual === undefined) return [required(`${field}.labels[${key}]`, `must be '${value}'`)];
    return actual === value
      ? []
      : [invalid(`${field}.labels[${key}]`, sortedMap(labels), `must be '${value}'`)];
  });
  if (selects(spec.selector, expected) !== false) return wrong;
  const rule = '`selector` not auto-generated';
  return [...wrong, invalid('spec.selector', selectorValue(spec.selector), rule)];
}

function validateJobSelector(spec: JobSpec): FieldProblem[] {
  const { selector, template } = spec;
  return [
    ...(selector ? validateSelector('spec.selector', selector) : [required('spec.selector')]),
    ...matchesTemplate(selector, template),
  ];
}

/** Its pods are named after their index. */
function validateIndexedName({ metadata }: Job, spec: JobSpec): FieldProblem[] {
  const { completionMode, completions = 0 } = spec;
  const name = metadata?.name ?? '';
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const last = `${name}-${completions - 1}`;
  if (dnsLabelFaults(last).length === 0) return [];
  const rule = `will not able to create pod with invalid DNS label: ${last}`;
  return [invalid('metadata.name', name, rule)];
}

export function validateJobSpec(field: string, spec: JobSpec): FieldProblem[] {
  return [
    ...nonNegative(`${field}.parallelism`, spec.parallelism),
    ...nonNegative(`${field}.completions`, spec.completions),
    ...nonNegative(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    ...nonNegative(`${field}.backoffLimit`, spec.backoffLimit),
    ...nonNegative(`${field}.ttlSecondsAfterFinished`, spec.ttlSecondsAfterFinished),
    ...nonNegative(`${field}.backoffLimitPerIndex`, spec.backoffLimitPerIndex),
    ...validateIndexing(field, spec),
    ...(spec.podFailurePolicy
      ? validateFailurePolicy(`${field}.podFailurePolicy`, spec, spec.podFailurePolicy)
      : []),
    ...validateReplacement(`${field}.podReplacementPolicy`, spec),
    ...validatePodTemplate(`${field}.template`, spec.template ?? {}),
    ...validateRestartPolicy(`${field}.template.spec.restartPolicy`, spec),
  ];
}

function validateIndexing(field: string, spec: JobSpec): FieldProblem[] {
  const { completionMode, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const problems = nonNegative(`${field}.maxFailedIndexes`, maxFailedIndexes);
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    const rule = 'when maxFailedIndexes is specified';
    problems.push(required(`${field}.backoffLimitPerIndex`, rule));
  }
  if (completionMode) {
    problems.push(...oneOf(`${field}.completionMode`, completionMode, ['NonIndexed', 'Indexed']));
  }
  if (completionMode === 'Indexed') {
    return [...problems, ...validateIndexes(field, spec)];
  }
  if (completionMode !== undefined && completionMode !== 'NonIndexed') return problems;
  const rule = 'requires indexed completion mode';
  for (const [name, value] of Object.entries({ backoffLimitPerIndex, maxFailedIndexes })) {
    if (value !== undefined) problems.push(invalid(`${field}.${name}`, value, rule));
  }
  return problems;
}

const maxParallelism = 100_000;

function validateIndexes(field: string, spec: JobSpec): FieldProblem[] {
  const { completions, parallelism = 0, maxFailedIndexes = 0 } = spec;
  const problems: FieldProblem[] = [];
  if (completions === undefined) {
    problems.push(required(`${field}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > maxParallelism) {
    const rule = `must be less than or equal to ${maxParallelism} when completion mode is Indexed`;
    problems.push(invalid(`${field}.parallelism`, parallelism, rule));
  }
  if (completions !== undefined && maxFailedIndexes > completions) {
    const rule = 'must be less than or equal to completions';
    problems.push(invalid(`${field}.maxFailedIndexes`, maxFailedIndexes, rule));
  }
  return problems;
}

function validateReplacement(field: string, spec: JobSpec): FieldProblem[] {
  const policy = spec.podReplacementPolicy;
  if (policy === undefined) return [];
  return oneOf(
    field,
    policy,
    spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'],
  );
}

/** A job is done when its pods are: they cannot restart for ever. */
function validateRestartPolicy(field: string, spec: JobSpec): FieldProblem[] {
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') {
    return [required(field, 'valid values: "OnFailure", "Never"')];
  }
  const supported = ['OnFailure', 'Never'];
  if (!supported.includes(policy)) return [notSupported(field, policy, supported)];
  if (!spec.podFailurePolicy || policy === 'Never') return [];
  return [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
