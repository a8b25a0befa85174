import { mostReflectionConditions, type NamespaceOffloading } from '@liqo/api';
import { findCondition, oneLine, setCondition } from '@liqo/kube';

/** Why something is not reflected as the user wants it. */
export interface ReflectionProblem {
  readonly reason: string;
  readonly message: string;
}

/** What there is to say of the objects of one resource in one namespace. */
export interface ReflectedKindReport {
  /** Such as `configmaps` or `widgets.example.org`. */
  readonly resource: string;
  /** Of the whole kind. */
  readonly problem?: ReflectionProblem | undefined;
  /** Of single objects, by name. */
  readonly problems: ReadonlyMap<string, ReflectionProblem>;
  /** Said also where all is well and always was: for kinds that a user has asked for. */
  readonly isAlwaysReported: boolean;
}

type Conditions = NonNullable<
  NonNullable<NamespaceOffloading['status']>['reflectionConditions']
>[string];
type Condition = Conditions[number];

/**
 * The conditions of one provider: one for each resource that has or had a problem. They name how many objects there are with
 * one, and the first of them; the Events of the objects tell the rest.
 */
export function reflectionConditions(
  before: Conditions = [],
  reports: readonly ReflectedKindReport[],
  now: string,
): Conditions {
  const known = new Set(reports.map(({ resource }) => resource));
  let conditions: Conditions = before.filter(({ type }) => known.has(type));
  for (const report of reports) {
    const { resource, isAlwaysReported } = report;
    const isNew = findCondition(conditions, resource) === undefined;
    const condition = conditionOf(report);
    if (condition.status === 'True' && isNew && !isAlwaysReported) continue;
    if (isNew && conditions.length >= mostReflectionConditions) continue;
    conditions = setCondition(conditions, condition, now);
  }
  return conditions;
}

function conditionOf({ resource, problem, problems }: ReflectedKindReport): Condition {
  const type = resource;
  if (problem) return { type, status: 'False', ...bounded(problem) };
  const [first] = [...problems.keys()].sort();
  const example = first === undefined ? undefined : problems.get(first);
  if (!example) return { type, status: 'True', reason: 'Reflected', message: '' };
  const others = problems.size > 1 ? `${problems.size} objects have a problem. ` : '';
  return { type, status: 'False', ...bounded({ ...example, message: others + example.message }) };
}

function bounded({ reason, message }: ReflectionProblem): ReflectionProblem {
  return { reason: oneLine(reason, 128), message: oneLine(message) };
}
