import { deepEqual, type Pod, type Stored } from '@liqo/kube';
import type { Container, PodSpec, Toleration } from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, forbidden, invalid } from '../validation/field-problem.ts';
import { inRange } from '../validation/numbers.ts';

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Almost nothing of a pod can be changed; what can is named in the message. */
export function validatePodUpdate(next: Pod, previous: Stored<Pod>): FieldProblem[] {
  const { spec = { containers: [] } } = next;
  const { spec: old = { containers: [] } } = previous;
  const count = [
    ...sameCount('spec.containers', spec.containers, old.containers),
    ...sameCount('spec.initContainers', spec.initContainers, old.initContainers),
  ];
  if (count.length > 0) return count.slice(0, 1);
  const deadline = validateDeadline('spec.activeDeadlineSeconds', spec, old);
  if (deadline.stops) return deadline.problems;
  return [
    ...deadline.problems,
    ...onlyAdded('spec.tolerations', spec.tolerations ?? [], old.tolerations ?? []),
    ...onlyRemovedGates('spec.schedulingGates', spec, old),
    ...validateGatedScheduling(spec, old),
    ...validateSame(spec, old),
  ];
}

function sameCount(
  field: string,
  next: readonly Container[] | undefined,
  previous: readonly Container[] | undefined,
): FieldProblem[] {
  if ((next?.length ?? 0) === (previous?.length ?? 0)) return [];
  return [forbidden(field, 'pod updates may not add or remove containers')];
}

/** A deadline can be set and moved closer. */
function validateDeadline(
  field: string,
  { activeDeadlineSeconds: next }: PodSpec,
  { activeDeadlineSeconds: previous }: PodSpec,
): { readonly problems: FieldProblem[]; readonly stops: boolean } {
  if (next === undefined) {
    const rule = 'must not update from a positive integer to nil value';
    const problems = previous === undefined ? [] : [invalid(field, undefined, rule)];
    return { problems, stops: false };
  }
  const range = inRange(field, next, 0, 2 ** 31 - 1);
  if (range.length > 0) return { problems: range, stops: true };
  if (previous === undefined || previous >= next) return { problems: [], stops: false };
  const rule = 'must be less than or equal to previous value';
  return { problems: [invalid(field, next, rule)], stops: true };
}

function onlyAdded(
  field: string,
  next: readonly Toleration[],
  previous: readonly Toleration[],
): FieldProblem[] {
  const isKept = ({ tolerationSeconds: _, ...old }: Toleration) =>
    next.some(({ tolerationSeconds: __, ...one }) => deepEqual(one, old));
  if (previous.every(isKept)) return [];
  return [forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')];
}

function onlyRemovedGates(field: string, next: PodSpec, previous: PodSpec): FieldProblem[] {
  const old = new Set((previous.schedulingGates ?? []).map(({ name }) => name));
  return (next.schedulingGates ?? []).flatMap(({ name }, i) => {
    const rule = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return old.has(name) ? [] : [forbidden(`${field}[${i}].name`, rule)];
  });
}

/** Before it can be scheduled, where a pod may go can still be narrowed down. */
function validateGatedScheduling(next: PodSpec, previous: PodSpec): FieldProblem[] {
  if (!previous.schedulingGates?.length) return [];
  const old = Object.entries(previous.nodeSelector ?? {});
  const isNarrowed = old.every(([key, value]) => next.nodeSelector?.[key] === value);
  const rule = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return isNarrowed ? [] : [invalid('spec.nodeSelector', next.nodeSelector ?? {}, rule)];
}

function validateSame(next: PodSpec, previous: PodSpec): FieldProblem[] {
  if (deepEqual(withChangeableOf(next, previous), previous)) return [];
  const rule = `pod updates may not change fields other than ${changeable.join(',')}\n`;
  return [forbidden('spec', rule)];
}

function withChangeableOf(next: PodSpec, previous: PodSpec): PodSpec {
  const isGated = (previous.schedulingGates ?? []).length > 0;
  const grace = previous.terminationGracePeriodSeconds ?? 0;
  const isRepaired = grace < 0 && next.terminationGracePeriodSeconds === 1;
  const { activeDeadlineSeconds, schedulingGates, tolerations } = previous;
  return {
    ...next,
    containers: withImagesOf(next.containers, previous.containers) ?? [],
    initContainers: withImagesOf(next.initContainers, previous.initContainers),
    activeDeadlineSeconds,
    schedulingGates,
    tolerations,
    ...(isRepaired && { terminationGracePeriodSeconds: grace }),
    ...(isGated && { nodeSelector: previous.nodeSelector }),
    ...(isGated && { affinity: withNodeAffinityOf(next, previous) }),
  } as PodSpec;
}

function withImagesOf(
  next: readonly Container[] | undefined,
  previous: readonly Container[] | undefined,
): Container[] | undefined {
  return next?.map((container, i) => ({ ...container, image: previous?.[i]?.image ?? '' }));
}

function withNodeAffinityOf(next: PodSpec, previous: PodSpec): PodSpec['affinity'] {
  const { nodeAffinity: _, ...affinity } = next.affinity ?? {};
  const old = previous.affinity?.nodeAffinity;
  if (old) return { ...affinity, nodeAffinity: old };
  const isEmpty = Object.keys(affinity).length === 0;
  return isEmpty && previous.affinity === undefined ? undefined : affinity;
}
