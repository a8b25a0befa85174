import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.d.ts';
import { ownMember } from './json.ts';
import {
  checkRequirement,
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  matchesRequirement,
} from './label-requirement.ts';

/** A label selector that was checked and can be matched: all requirements must hold, so none of them selects all. */
export interface LabelQuery {
  /** In the order of their keys. */
  readonly requirements: readonly LabelRequirement[];
  readonly selectsNothing: boolean;
}

/** A label selector that means nothing. `message` says which one and why. */
export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}

export const selectEverything: LabelQuery = { requirements: [], selectsNothing: false };

export const selectNothing: LabelQuery = { requirements: [], selectsNothing: true };

/** The requirements are taken as valid: see `checkRequirement`. */
export function labelQueryOf(requirements: readonly LabelRequirement[]): LabelQuery {
  return { requirements: requirements.toSorted(byKey), selectsNothing: false };
}

/** Selects what has all of these labels; everything, if there are none. */
export function labelQueryFromLabels(labels: Labels): LabelQuery {
  return labelQueryFromSelector({ matchLabels: { ...labels } });
}

/** The form that is part of objects. An absent selector selects nothing, an empty one everything. */
export function labelQueryFromSelector(selector: LabelSelector | null | undefined): LabelQuery {
  if (!selector) return selectNothing;
  const labels = Object.entries(selector.matchLabels ?? {});
  const requirements = [
    ...labels.map(([key, value]): LabelRequirement => ({ key, operator: '=', values: [value] })),
    ...(selector.matchExpressions ?? []).map(requirementFrom),
  ];
  const faults = requirements.flatMap(checkRequirement);
  if (faults.length > 0) {
    throw new LabelSelectorError(`Cannot use label selector: ${faults.join('; ')}`);
  }
  return labelQueryOf(requirements);
}

export function matchesLabels(query: LabelQuery, labels: Labels | undefined): boolean {
  if (query.selectsNothing) return false;
  return query.requirements.every((requirement) => matchesRequirement(requirement, labels ?? {}));
}

/** The form of the `labelSelector` parameter, as `Selector.String()` in apimachinery writes it. */
export function formatLabelSelector(query: LabelQuery): string {
  return query.requirements.map(formatRequirement).join(',');
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function requirementFrom(expression: LabelSelectorRequirement): LabelRequirement {
  const { key, values = [] } = expression;
  const operator = ownMember(operators, expression.operator);
  if (!operator) {
    throw new LabelSelectorError(
      `Cannot use label selector: "${expression.operator}" is not an operator (use ${Object.keys(operators).join(', ')})`,
    );
  }
  return { key, operator, values };
}

function byKey(a: LabelRequirement, b: LabelRequirement): number {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}
