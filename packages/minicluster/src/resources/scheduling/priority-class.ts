import { PriorityClass, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { fillIn } from '../fill-in.ts';
import { validatePreemption } from '../pods/validate-pod-spec.ts';
import { ageColumn, booleanColumn, integerColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, forbidden } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';

export const priorityClasses = defineResource<PriorityClass>({
  kind: PriorityClass,
  shortNames: ['pc'],
  columns: [
    nameColumn,
    integerColumn('Value', ({ value }: PriorityClass) => value),
    booleanColumn('Global-Default', ({ globalDefault }: PriorityClass) => globalDefault ?? false),
    ageColumn,
    textColumn('PreemptionPolicy', ({ preemptionPolicy }: PriorityClass) => preemptionPolicy ?? ''),
  ],
  strategy: {
    withDefaults: (object: PriorityClass) =>
      fillIn(object, { preemptionPolicy: 'PreemptLowerPriority' }),
    validate: validatePriorityClass,
    validateUpdate: (next: PriorityClass, previous: Stored<PriorityClass>) => [
      ...(next.value === previous.value
        ? []
        : [forbidden('value', 'may not be changed in an update.')]),
      ...unchanged('preemptionPolicy', next.preemptionPolicy, previous.preemptionPolicy),
    ],
  },
});

const systemPrefix = 'system-';
const highestUserValue = 1_000_000_000;

/** What the cluster itself must not do without. */
const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function validatePriorityClass(object: PriorityClass): FieldProblem[] {
  const preemption = validatePreemption('preemptionPolicy', object.preemptionPolicy);
  const name = object.metadata?.name ?? '';
  if (name.startsWith(systemPrefix)) return [...validateSystemClass(name, object), ...preemption];
  if (object.value <= highestUserValue) return preemption;
  const rule = `maximum allowed value of a user defined priority is ${highestUserValue}`;
  return [forbidden('value', rule), ...preemption];
}

function validateSystemClass(
  name: string,
  { value, globalDefault }: PriorityClass,
): FieldProblem[] {
  const fault = systemClassFault(name, value, globalDefault ?? false);
  if (!fault) return [];
  const rule = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${fault}`;
  return [forbidden('metadata.name', rule)];
}

function systemClassFault(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = systemClasses[name];
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
