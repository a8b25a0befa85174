import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from 'kubernetes-types/core/v1.d.ts';
import { ownMember } from './json.ts';
import {
  checkRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  matchesRequirement,
} from './label-requirement.ts';

/** As much of a node as a node selector looks at. */
export interface SelectableNode {
  readonly metadata?: {
    readonly name?: string | undefined;
    readonly labels?: Labels | undefined;
  };
}

/** Whether one of the terms matches. No terms match no node. */
export function matchesNodeSelector(selector: NodeSelector, node: SelectableNode): boolean {
  return selector.nodeSelectorTerms.some((term) => matchesNodeSelectorTerm(term, node));
}

/**
 * Whether all requirements of the term hold. An empty term matches no node, and neither does one that is not valid: as
 * in the scheduler, the other terms of the selector still count.
 */
export function matchesNodeSelectorTerm(term: NodeSelectorTerm, node: SelectableNode): boolean {
  const { expressions, fields, faults } = parseTerm(term);
  if (faults.length > 0 || expressions.length + fields.length === 0) return false;
  const { labels = {}, name } = node.metadata ?? {};
  return (
    expressions.every((expression) => matchesRequirement(expression, labels)) &&
    fields.every((field) => matchesField(field, name))
  );
}

/** What is wrong with a selector, in words; nothing if it is valid. */
export function checkNodeSelector(selector: NodeSelector): readonly string[] {
  return selector.nodeSelectorTerms.flatMap((term, index) => {
    return parseTerm(term).faults.map((fault) => `in term ${index}, ${fault}`);
  });
}

interface ParsedTerm {
  readonly expressions: readonly LabelRequirement[];
  readonly fields: readonly NodeSelectorRequirement[];
  readonly faults: readonly string[];
}

function parseTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): ParsedTerm {
  const expressions = matchExpressions.flatMap((expression) => requirementFrom(expression) ?? []);
  return {
    expressions,
    fields: matchFields,
    faults: [
      ...checkOperators(matchExpressions, Object.keys(operators)),
      ...expressions.flatMap(checkRequirement),
      ...checkOperators(matchFields, ['In', 'NotIn']),
      ...matchFields.flatMap(checkFieldValues),
    ],
  };
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: '>',
  Lt: '<',
};

function requirementFrom(expression: NodeSelectorRequirement): LabelRequirement | undefined {
  const { key, values = [] } = expression;
  const operator = ownMember(operators, expression.operator);
  return operator && { key, operator, values };
}

function checkOperators(
  requirements: readonly NodeSelectorRequirement[],
  known: readonly string[],
): string[] {
  return requirements
    .filter(({ operator }) => !known.includes(operator))
    .map(({ operator }) => `"${operator}" is not an operator (use ${known.join(', ')})`);
}

function checkFieldValues({ key, values = [] }: NodeSelectorRequirement): string[] {
  return values.length === 1 ? [] : [`the field "${key}" needs one value`];
}

/** The name is the only field a node can be selected by; every other one reads as empty. */
function matchesField(field: NodeSelectorRequirement, nodeName: string | undefined): boolean {
  if (!nodeName) return true;
  const actual = field.key === 'metadata.name' ? nodeName : '';
  return (field.values?.[0] === actual) === (field.operator === 'In');
}
