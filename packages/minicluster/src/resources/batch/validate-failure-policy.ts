import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from 'kubernetes-types/batch/v1.d.ts';
import {
  duplicate,
  type FieldProblem,
  invalid,
  invalidFor,
  invalidWithoutValue,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { qualifiedNameFaults } from '../validation/names.ts';

const actions: readonly string[] = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** What a failed pod means for its job. */
export function validateFailurePolicy(
  field: string,
  spec: JobSpec,
  { rules }: PodFailurePolicy,
): FieldProblem[] {
  return (rules ?? []).flatMap((rule, i) => validateRule(`${field}.rules[${i}]`, spec, rule));
}

function validateRule(field: string, spec: JobSpec, rule: PodFailurePolicyRule): FieldProblem[] {
  const { onExitCodes, onPodConditions = [] } = rule;
  const hasBoth = onExitCodes !== undefined && onPodConditions.length > 0;
  const hasNone = onExitCodes === undefined && onPodConditions.length === 0;
  const both = 'specifying both OnExitCodes and OnPodConditions is not supported';
  const none = 'specifying one of OnExitCodes and OnPodConditions is required';
  return [
    ...validateAction(`${field}.action`, spec, rule.action),
    ...(onExitCodes ? validateExitCodes(`${field}.onExitCodes`, spec, onExitCodes) : []),
    ...onPodConditions.flatMap(({ type, status }, i) => {
      const at = `${field}.onPodConditions[${i}]`;
      return [
        ...invalidFor(`${at}.type`, type, qualifiedNameFaults(type)),
        ...oneOf(`${at}.status`, status, ['False', 'True', 'Unknown']),
      ];
    }),
    ...(hasBoth ? [invalidWithoutValue(field, both)] : []),
    ...(hasNone ? [invalidWithoutValue(field, none)] : []),
  ];
}

function validateAction(field: string, spec: JobSpec, action: string): FieldProblem[] {
  if (!action) return [required(field, `valid values: [${quoted(actions)}]`)];
  if (action !== 'FailIndex') return oneOf(field, action, actions);
  if (spec.backoffLimitPerIndex !== undefined) return [];
  return [invalid(field, action, 'requires the backoffLimitPerIndex to be set')];
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' ');
}

function validateExitCodes(
  field: string,
  spec: JobSpec,
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
): FieldProblem[] {
  const { containers = [], initContainers = [] } = spec.template.spec ?? {};
  const names = [...(containers ?? []), ...initContainers].map(({ name }) => name);
  const isUnknown = containerName !== undefined && !names.includes(containerName);
  const rule = 'must be one of the container or initContainer names in the pod template';
  return [
    ...(operator
      ? oneOf(`${field}.operator`, operator, ['In', 'NotIn'])
      : [required(`${field}.operator`, `valid values: [${quoted(['In', 'NotIn'])}]`)]),
    ...(isUnknown ? [invalid(`${field}.containerName`, containerName, rule)] : []),
    ...validateCodes(`${field}.values`, operator, values ?? []),
  ];
}

function validateCodes(field: string, operator: string, codes: readonly number[]): FieldProblem[] {
  if (codes.length === 0) return [invalid(field, codes, 'at least one value is required')];
  const isOrdered = codes.every((code, i) => i === 0 || (codes[i - 1] ?? 0) <= code);
  return [
    ...codes.flatMap((code, i) => [
      ...(operator === 'In' && code === 0
        ? [invalid(`${field}[${i}]`, code, 'must not be 0 for the In operator')]
        : []),
      ...(codes.indexOf(code) < i ? [duplicate(`${field}[${i}]`, code)] : []),
    ]),
    ...(isOrdered ? [] : [invalid(field, codes, 'must be ordered')]),
  ];
}
