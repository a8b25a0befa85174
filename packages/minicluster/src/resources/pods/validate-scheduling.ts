import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from 'kubernetes-types/core/v1.d.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  required,
} from '../validation/field-problem.ts';
import { validateLabelKey, validateSelector } from '../validation/labels.ts';
import { dnsLabelFaults, dnsSubdomainFaults, labelValueFaults } from '../validation/names.ts';

export function validateAffinity(field: string, affinity: Affinity): FieldProblem[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return [
    ...(nodeAffinity ? validateNodeAffinity(`${field}.nodeAffinity`, nodeAffinity) : []),
    ...(podAffinity ? validatePodAffinity(`${field}.podAffinity`, podAffinity) : []),
    ...(podAntiAffinity ? validatePodAffinity(`${field}.podAntiAffinity`, podAntiAffinity) : []),
  ];
}

const must = 'requiredDuringSchedulingIgnoredDuringExecution';
const should = 'preferredDuringSchedulingIgnoredDuringExecution';

function validateNodeAffinity(field: string, affinity: NodeAffinity): FieldProblem[] {
  const selector = affinity[must];
  const preferred = affinity[should] ?? [];
  return [
    ...(selector ? validateNodeSelector(`${field}.${must}`, selector) : []),
    ...preferred.flatMap(({ weight, preference }, i) => [
      ...validateWeight(`${field}.${should}[${i}].weight`, weight),
      ...validateNodeTerm(`${field}.${should}[${i}].preference`, preference, false),
    ]),
  ];
}

export function validateNodeSelector(field: string, selector: NodeSelector): FieldProblem[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, i) => validateNodeTerm(`${at}[${i}]`, term, true));
}

/** Values that cannot be labels never match; as a preference they do no harm, and pass. */
function validateNodeTerm(
  field: string,
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  checksValues: boolean,
): FieldProblem[] {
  return [
    ...matchExpressions.flatMap((expression, i) => {
      const at = `${field}.matchExpressions[${i}]`;
      return [
        ...validateExpression(at, expression),
        ...(checksValues ? validateValues(`${at}.values`, expression.values ?? []) : []),
      ];
    }),
    ...matchFields.flatMap((one, i) => validateFieldMatch(`${field}.matchFields[${i}]`, one)),
  ];
}

function validateExpression(field: string, expression: NodeSelectorRequirement): FieldProblem[] {
  const { key, operator, values = [] } = expression;
  const keyProblems = validateLabelKey(`${field}.key`, key);
  const at = `${field}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const rule = "must be specified when `operator` is 'In' or 'NotIn'";
      return values.length > 0 ? keyProblems : [required(at, rule), ...keyProblems];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const rule = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return values.length === 0 ? keyProblems : [forbidden(at, rule), ...keyProblems];
    }
    case 'Gt':
    case 'Lt': {
      const rule = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      return values.length === 1 ? keyProblems : [required(at, rule), ...keyProblems];
    }
    default:
      return [
        invalid(`${field}.operator`, operator, 'not a valid selector operator'),
        ...keyProblems,
      ];
  }
}

function validateValues(field: string, values: readonly string[]): FieldProblem[] {
  return values.flatMap((value, i) => invalidFor(`${field}[${i}]`, value, labelValueFaults(value)));
}

/** The name is the only field of a node that pods can be selective about. */
function validateFieldMatch(field: string, requirement: NodeSelectorRequirement): FieldProblem[] {
  const { key, operator, values = [] } = requirement;
  const problems: FieldProblem[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    problems.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const rule =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    problems.push(required(`${field}.values`, rule));
  }
  if (key !== 'metadata.name') {
    return [...problems, invalid(`${field}.key`, key, 'not a valid field selector key')];
  }
  const named = values.flatMap((value, i) =>
    invalidFor(`${field}.values[${i}]`, value, dnsSubdomainFaults(value)),
  );
  return [...problems, ...named];
}

function validateWeight(field: string, weight: number): FieldProblem[] {
  const isFine = weight > 0 && weight <= 100;
  return isFine ? [] : [invalid(field, weight, 'must be in the range 1-100')];
}

function validatePodAffinity(field: string, affinity: PodAffinity): FieldProblem[] {
  const required = affinity[must] ?? [];
  const preferred = affinity[should] ?? [];
  return [
    ...required.flatMap((term, i) => validatePodTerm(`${field}.${must}[${i}]`, term)),
    ...preferred.flatMap(({ weight, podAffinityTerm }, i) => [
      ...validateWeight(`${field}.${should}[${i}].weight`, weight),
      ...validatePodTerm(`${field}.${should}[${i}].podAffinityTerm`, podAffinityTerm),
    ]),
  ];
}

function validatePodTerm(field: string, term: PodAffinityTerm): FieldProblem[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey } = term;
  return [
    ...validateSelector(`${field}.labelSelector`, labelSelector),
    ...validateSelector(`${field}.namespaceSelector`, namespaceSelector),
    ...namespaces.flatMap((name) => invalidFor(`${field}.namespace`, name, dnsLabelFaults(name))),
    ...validateLabelKeys(`${field}.matchLabelKeys`, term.matchLabelKeys, term),
    ...validateLabelKeys(`${field}.mismatchLabelKeys`, term.mismatchLabelKeys, term),
    ...(topologyKey ? [] : [required(`${field}.topologyKey`, 'can not be empty')]),
    ...validateLabelKey(`${field}.topologyKey`, topologyKey ?? ''),
  ];
}

export function validateLabelKeys(
  field: string,
  keys: readonly string[] | undefined,
  { labelSelector }: Pick<PodAffinityTerm, 'labelSelector'>,
): FieldProblem[] {
  if (!keys?.length) return [];
  if (!labelSelector) {
    return [forbidden(field, 'must not be specified when labelSelector is not set')];
  }
  return keys.flatMap((key, i) => validateLabelKey(`${field}[${i}]`, key));
}
