import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { validatePodTemplate } from '../pods/validate-pod.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  notSupported,
  required,
  sortedMap,
} from '../validation/field-problem.ts';
import { isEmptySelector, selectorValue, selects, validateSelector } from '../validation/labels.ts';

/** What a workload says about its pods: which they are, and what they are made of. */
interface Workload {
  readonly selector: LabelSelector | undefined;
  readonly template: PodTemplateSpec;
  /** How the server calls it where it says that something is not for it. */
  readonly name: string;
  /** How it calls it where the selector is empty: not always by its name. */
  readonly emptyName: string;
}

export function validateWorkload(workload: Workload): FieldProblem[] {
  return [...validateWorkloadSelector(workload), ...validateWorkloadTemplate(workload)];
}

function validateWorkloadSelector({ selector, emptyName }: Workload): FieldProblem[] {
  if (!selector) return [required('spec.selector')];
  const problems = validateSelector('spec.selector', selector);
  if (!isEmptySelector(selector)) return problems;
  const rule = `empty selector is invalid for ${emptyName}`;
  return [...problems, invalid('spec.selector', selectorValue(selector), rule)];
}

function validateWorkloadTemplate(workload: Workload): FieldProblem[] {
  const { selector, template } = workload;
  const isReadable = validateSelector('', selector).length === 0;
  if (!isReadable && selector) {
    return [invalid('spec.selector', selectorValue(selector), 'invalid label selector')];
  }
  return [
    ...(selector && isEmptySelector(selector) ? [] : matchesTemplate(selector, template)),
    ...validatePodTemplate('spec.template', template),
    ...runsForever(workload),
  ];
}

export function matchesTemplate(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec,
): FieldProblem[] {
  const labels = template.metadata?.labels;
  if (selects(selector, labels ?? {}) !== false) return [];
  const rule = '`selector` does not match template `labels`';
  return [invalid('spec.template.metadata.labels', sortedMap(labels), rule)];
}

/** Pods that end would be made anew at once. */
export function runsForever({ template, name }: Workload): FieldProblem[] {
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {};
  const field = 'spec.template.spec';
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(`${field}.restartPolicy`, restartPolicy ?? '', ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(
            `${field}.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${name} is not Supported`,
          ),
        ]),
  ];
}
