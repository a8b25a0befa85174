import { type CustomResourceDefinition, deepEqual, findCondition } from '@liqo/kube';
import type {
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from 'kubernetes-types/apiextensions/v1.d.ts';
import { acceptNames, namesTaken } from './accept-names.ts';

type Condition = CustomResourceDefinitionCondition;

const noNames: CustomResourceDefinitionNames = { plural: '', kind: '' };

/**
 * The next status of a definition, given the names that others of its group hold; undefined when there is nothing to
 * do. Names come first, then, in a step of its own, the definition is established.
 */
export function planStatus(
  crd: CustomResourceDefinition,
  held: readonly CustomResourceDefinitionNames[],
  now: string,
): CustomResourceDefinitionStatus | undefined {
  return planNames(crd, held, now) ?? planEstablished(crd, now);
}

function planNames(
  { spec, status }: CustomResourceDefinition,
  held: readonly CustomResourceDefinitionNames[],
  now: string,
): CustomResourceDefinitionStatus | undefined {
  const current = status?.acceptedNames ?? noNames;
  if (deepEqual(spec.names, current)) return undefined;
  const decision = acceptNames(spec.names, current, namesTaken(held));
  const naming = condition('NamesAccepted', decision.status, decision.reason, decision.message);
  const isSame = equivalent(find(status, 'NamesAccepted'), naming);
  if (isSame && deepEqual(decision.accepted, current)) return undefined;
  const next = { ...withStored(status), acceptedNames: decision.accepted };
  const named = withCondition(next, naming, now);
  return withCondition(named, establishing(status, decision.status === 'True'), now);
}

/** Once established, always established; before, it depends on the names. */
function establishing(
  status: CustomResourceDefinitionStatus | undefined,
  isNamed: boolean,
): Condition {
  const current = find(status, 'Established');
  if (current?.status === 'True') return current;
  if (isNamed) {
    const message = 'the initial names have been accepted';
    return condition('Established', 'False', 'Installing', message);
  }
  return current ?? condition('Established', 'False', 'NotAccepted', 'not all names are accepted');
}

function planEstablished(
  { status }: CustomResourceDefinition,
  now: string,
): CustomResourceDefinitionStatus | undefined {
  if (find(status, 'NamesAccepted')?.status !== 'True') return undefined;
  if (find(status, 'Established')?.status === 'True') return undefined;
  const message = 'the initial names have been accepted';
  const established = condition('Established', 'True', 'InitialNamesAccepted', message);
  return withCondition(withStored(status), established, now);
}

export function isEstablished({ status }: CustomResourceDefinition): boolean {
  return find(status, 'Established')?.status === 'True';
}

export function withCondition(
  status: CustomResourceDefinitionStatus,
  next: Condition,
  now: string,
): CustomResourceDefinitionStatus {
  const conditions = status.conditions ?? [];
  const current = conditions.find(({ type }) => type === next.type);
  const isTransition = current?.status !== next.status || !current.lastTransitionTime;
  const lastTransitionTime = isTransition ? now : current.lastTransitionTime;
  const { type, status: state, reason, message } = next;
  const timed = { type, status: state, lastTransitionTime, reason, message } as Condition;
  if (!current) return { ...status, conditions: [...conditions, timed] };
  return { ...status, conditions: conditions.map((one) => (one === current ? timed : one)) };
}

export function condition(
  type: string,
  status: string,
  reason: string,
  message: string,
): Condition {
  return { type, status, reason, message };
}

function find(
  status: CustomResourceDefinitionStatus | undefined,
  type: string,
): Condition | undefined {
  return findCondition(status?.conditions ?? [], type) as Condition | undefined;
}

function equivalent(a: Condition | undefined, b: Condition): boolean {
  return a?.status === b.status && a.reason === b.reason && a.message === b.message;
}

function withStored(
  status: CustomResourceDefinitionStatus | undefined,
): CustomResourceDefinitionStatus {
  const { conditions, acceptedNames = noNames, storedVersions } = status ?? {};
  return { conditions: conditions ?? [], acceptedNames, storedVersions: storedVersions ?? [] };
}
