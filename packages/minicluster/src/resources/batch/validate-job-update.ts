import { deepEqual, type Job, type Stored } from '@liqo/kube';
import type { JobSpec } from 'kubernetes-types/batch/v1.d.ts';
import type { Affinity, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, invalid } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { validateWholeSpec } from './validate-job.ts';

const fixed = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const;

export function validateJobUpdate(next: Job, previous: Stored<Job>): FieldProblem[] {
  const { spec } = next;
  const { spec: old } = previous;
  if (!spec || !old) return [];
  return [
    // Once more: the server looks at a job's spec twice.
    ...validateWholeSpec(spec),
    ...validateCompletions(spec, old),
    ...unchanged('spec.selector', spec.selector, old.selector),
    ...validateTemplate(spec.template, withPlacementOf(old.template, spec.template, previous)),
    ...fixed.flatMap((field) =>
      unchanged(`spec.${field}`, memberOf(spec, field), memberOf(old, field)),
    ),
  ];
}

function memberOf(spec: JobSpec, field: string): unknown {
  return (spec as unknown as Readonly<Record<string, unknown>>)[field];
}

/** An indexed job can be given more or less to do, as long as it may do all of it at once. */
function validateCompletions(spec: JobSpec, old: JobSpec): FieldProblem[] {
  const field = 'spec.completions';
  const { completions, parallelism } = spec;
  const isElastic = spec.completionMode === 'Indexed';
  if (!isElastic) return unchanged(field, completions, old.completions);
  if (completions === old.completions || completions === parallelism) return [];
  const rule = 'can only be modified in tandem with spec.parallelism';
  return [invalid(field, completions, rule)];
}

function validateTemplate(next: PodTemplateSpec, previous: PodTemplateSpec): FieldProblem[] {
  if (deepEqual(next, previous)) return [];
  return [invalid('spec.template', next, 'field is immutable')];
}

/** Where its pods go can be changed of a suspended job that has not been started. */
function withPlacementOf(
  old: PodTemplateSpec,
  next: PodTemplateSpec,
  { spec, status }: Stored<Job>,
): PodTemplateSpec {
  const mayMove = spec?.suspend === true && !status?.startTime;
  if (!mayMove || !old.spec || !next.spec) return old;
  const { nodeSelector, tolerations, schedulingGates } = next.spec;
  const affinity = withNodeAffinityOf(old.spec.affinity, next.spec.affinity);
  const { labels, annotations } = next.metadata ?? {};
  return {
    ...old,
    metadata: { ...old.metadata, labels, annotations },
    spec: { ...old.spec, nodeSelector, tolerations, schedulingGates, affinity },
  } as PodTemplateSpec;
}

function withNodeAffinityOf(
  old: Affinity | undefined,
  next: Affinity | undefined,
): Affinity | undefined {
  const { nodeAffinity: _, ...others } = old ?? {};
  if (next?.nodeAffinity) return { ...others, nodeAffinity: next.nodeAffinity };
  const isEmpty = Object.keys(others).length === 0;
  return isEmpty && next === undefined ? undefined : others;
}
