import { labelQueryFromSelector, matchesLabels } from '@liqo/kube';
import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.d.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  required,
  sortedMap,
} from './field-problem.ts';
import { labelValueFaults, qualifiedNameFaults } from './names.ts';

type Labels = Readonly<Record<string, string>>;

export function validateLabels(field: string, labels: Labels | undefined): FieldProblem[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...validateLabelKey(field, key),
    ...invalidFor(field, value, labelValueFaults(value)),
  ]);
}

export function validateLabelKey(field: string, key: string): FieldProblem[] {
  return invalidFor(field, key, qualifiedNameFaults(key));
}

const maxAnnotationBytes = 256 * 1024;

export function validateAnnotations(field: string, annotations: Labels = {}): FieldProblem[] {
  const keys = Object.keys(annotations);
  const problems = keys.flatMap((key) =>
    invalidFor(field, key, qualifiedNameFaults(key.toLowerCase())),
  );
  const size = Object.entries(annotations).reduce((sum, [key, value]) => {
    return sum + Buffer.byteLength(key) + Buffer.byteLength(value);
  }, 0);
  if (size <= maxAnnotationBytes) return problems;
  const message = `Too long: may not be more than ${maxAnnotationBytes} bytes`;
  return [...problems, { field, reason: 'FieldValueTooLong', message }];
}

export function validateSelector(
  field: string,
  selector: LabelSelector | undefined,
): FieldProblem[] {
  const expressions = selector?.matchExpressions ?? [];
  return [
    ...validateLabels(`${field}.matchLabels`, selector?.matchLabels),
    ...expressions.flatMap((one, i) => validateExpression(`${field}.matchExpressions[${i}]`, one)),
  ];
}

function validateExpression(field: string, expression: LabelSelectorRequirement): FieldProblem[] {
  const { key, operator, values = [] } = expression;
  return [
    ...validateOperator(field, operator, values),
    ...validateLabelKey(`${field}.key`, key),
    ...values.flatMap((value, i) =>
      invalidFor(`${field}.values[${i}]`, value, labelValueFaults(value)),
    ),
  ];
}

function validateOperator(
  field: string,
  operator: string,
  values: readonly string[],
): FieldProblem[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        forbidden(
          `${field}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

export function isEmptySelector(selector: LabelSelector): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** Undefined when the selector means nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean | undefined {
  if (validateSelector('', selector).length > 0) return undefined;
  return matchesLabels(labelQueryFromSelector(selector), labels);
}

/** As the server repeats a selector: labels first. */
export function selectorValue(selector: LabelSelector): object {
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(matchLabels && { matchLabels: sortedMap(matchLabels) }),
    ...(matchExpressions && { matchExpressions }),
  };
}
