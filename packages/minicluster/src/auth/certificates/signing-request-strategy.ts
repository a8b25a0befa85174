import { type Clock, formatTime, type KubeObject } from '@liqo/kube';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition as Condition,
} from 'kubernetes-types/certificates/v1.d.ts';
import { forbidden } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import type { Strategy } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';
import { finalConditions, validateSigningRequest } from './validate-signing-request.ts';

type Stored = Item & CertificateSigningRequest;

/** Who may say yes or no, by which path. */
const approvalConditions: readonly string[] = ['Approved', 'Denied'];

/**
 * The life of a request. Once made, nothing of it changes but its metadata and, through the status, the certificate and
 * the conditions, except those that approve or deny.
 */
export function signingRequestStrategy(clock: Clock): Strategy {
  return {
    generation: 'none',
    validateName: () => [],
    onCreate: (object) => withStatus(object, {}),
    onUpdate: (next, previous) => {
      const { spec, status } = previous as Stored;
      return withStatus({ ...next, spec } as KubeObject, status);
    },
    onStatusUpdate: (next, previous) => {
      const { spec } = previous as Stored;
      const kept = keepApproval(conditionsOf(next), conditionsOf(previous));
      const conditions = withTimes(kept, conditionsOf(previous), clock);
      const metadata = { ...next.metadata, ...serverMetadata(previous) };
      const { status } = next as CertificateSigningRequest;
      const signed = { ...status, ...(conditions.length > 0 && { conditions }) };
      return withStatus({ ...next, metadata, spec } as KubeObject, signed);
    },
    validate: validateSigningRequest,
    validateStatusUpdate: (next, previous) => [
      ...validateSigningRequest(next),
      ...removedProblems(next, previous),
      ...addedProblems(next, previous),
      ...certificateProblems(next, previous),
    ],
  };
}

/** What comes of a write through `approval`: it changes the conditions, all of them, and the metadata. */
export function approvedRequest(next: KubeObject, previous: Item, clock: Clock): KubeObject {
  const { spec, status } = previous as Stored;
  const conditions = withTimes(conditionsOf(next), conditionsOf(previous), clock);
  const { conditions: _, ...kept } = status ?? {};
  const approved = { ...kept, ...(conditions.length > 0 && { conditions }) };
  return withStatus({ ...next, spec } as KubeObject, approved);
}

export function validateApproval(next: KubeObject, previous: Item): FieldProblem[] {
  return [...validateSigningRequest(next), ...removedProblems(next, previous)];
}

function withStatus(object: KubeObject, status: object | undefined): KubeObject {
  const changed = { ...object, status: status ?? {} };
  return changed;
}

function conditionsOf(object: KubeObject): readonly Condition[] {
  return (object as CertificateSigningRequest).status?.conditions ?? [];
}

function serverMetadata({ metadata }: Item): object {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return {
    uid,
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
}

/** Conditions get the times that they came without. One that was there with this status keeps its transition. */
function withTimes(
  conditions: readonly Condition[],
  before: readonly Condition[],
  clock: Clock,
): Condition[] {
  const now = formatTime(clock.now());
  return conditions.map((condition) => {
    const same = before.find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? now,
      lastTransitionTime: condition.lastTransitionTime ?? same?.lastTransitionTime ?? now,
    };
  });
}

/** What was approved or denied stays as it was said; whoever adds or removes such a condition is found out later. */
function keepApproval(next: readonly Condition[], before: readonly Condition[]): Condition[] {
  return next.map((condition) => {
    const { type } = condition;
    const isKept =
      approvalConditions.includes(type) && countOf(next, type) === countOf(before, type);
    return (isKept && before.find((other) => other.type === type)) || condition;
  });
}

function countOf(conditions: readonly Condition[], type: string): number {
  return conditions.filter((condition) => condition.type === type).length;
}

function removedProblems(next: KubeObject, previous: Item): FieldProblem[] {
  return finalConditions
    .filter((type) => countOf(conditionsOf(next), type) < countOf(conditionsOf(previous), type))
    .map((type) => conditionProblem('remove', type));
}

function addedProblems(next: KubeObject, previous: Item): FieldProblem[] {
  return approvalConditions
    .filter((type) => countOf(conditionsOf(next), type) > countOf(conditionsOf(previous), type))
    .map((type) => conditionProblem('add', type));
}

function conditionProblem(verb: string, type: string): FieldProblem {
  return forbidden('status.conditions', `updates may not ${verb} a condition of type "${type}"`);
}

function certificateProblems(next: KubeObject, previous: Item): FieldProblem[] {
  const before = (previous as Stored).status?.certificate;
  const after = (next as CertificateSigningRequest).status?.certificate;
  if (!before || before === after) return [];
  const detail = 'updates may not modify existing certificate content';
  return [forbidden('status.certificate', detail)];
}
