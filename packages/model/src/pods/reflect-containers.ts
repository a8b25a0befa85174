import type { Container, PodSpec } from './pod-spec.ts';
import type { ContainerStatus } from './pod-status.ts';

export interface ContainerFacts {
  readonly spec: PodSpec;
  readonly containers: readonly Container[] | undefined;
  /** Whether the pod at the provider is another one than the status at the consumer speaks of. */
  readonly isRecreated: boolean;
  /** Whether the pod at the provider is on its way out, to be made again. */
  readonly isReplaced: boolean;
}

/**
 * The statuses of the containers that the pod has at the consumer: those of the provider, in the light of what was known
 * before.
 */
export function reflectContainers(
  before: readonly ContainerStatus[] = [],
  remote: readonly ContainerStatus[] = [],
  facts: ContainerFacts,
): ContainerStatus[] {
  const names = new Set(facts.containers?.map(({ name }) => name));
  const isOfPod = ({ name }: ContainerStatus) => names.has(name);
  const reflected = remote.filter(isOfPod).map((after) => {
    const previous = before.find(({ name }) => name === after.name);
    return reflectContainer(previous, after, facts);
  });
  const known = new Set(remote.map(({ name }) => name));
  const notYetThere = before.filter((one) => isOfPod(one) && !known.has(one.name));
  return [...reflected, ...notYetThere.map((status) => awaitContainer(status, facts))];
}

/** A container of a pod that is made again: it waits, unless its work was done before. */
export function awaitContainer(
  status: ContainerStatus,
  facts: Pick<ContainerFacts, 'containers' | 'spec'>,
): ContainerStatus {
  return hasEndedForGood(status, facts) ? status : waitingContainer(status);
}

function waitingContainer(status: ContainerStatus): ContainerStatus {
  const waiting = {
    reason: 'RemotePodMissing',
    message: 'The pod at the provider is gone and is made again',
  };
  return { ...status, ready: false, started: false, state: { waiting } };
}

/** A container of a pod whose end is known and whose details are not. */
export function endContainer(
  status: ContainerStatus,
  {
    exitCode,
    reason,
    now,
  }: { readonly exitCode: number; readonly reason: string; readonly now: string },
): ContainerStatus {
  if (status.state?.terminated) return status;
  const startedAt = status.state?.running?.startedAt;
  const terminated = { exitCode, reason, finishedAt: now, ...(startedAt && { startedAt }) };
  return { ...status, ready: false, started: false, state: { terminated } };
}

function reflectContainer(
  before: ContainerStatus | undefined,
  after: ContainerStatus,
  facts: ContainerFacts,
): ContainerStatus {
  if (before && hasEndedForGood(before, facts)) return before;
  const status = { ...after, restartCount: restartCount(before, after, facts.isRecreated) };
  return facts.isReplaced && after.state?.terminated ? waitingContainer(status) : status;
}

/** A larger one is refused by the API server, with the whole status. */
const maxRestarts = 2 ** 31 - 1;

/**
 * The count never falls, although every pod at the provider begins with zero, and counts a pod that was made again as a
 * restart. All that is needed to know is in the two statuses: nothing has to be remembered. Only of several restarts that
 * nobody saw, just one may count.
 */
function restartCount(
  before: ContainerStatus | undefined,
  after: ContainerStatus,
  isRecreated: boolean,
): number {
  if (!before) return after.restartCount;
  if (isRecreated) return Math.min(before.restartCount + 1 + after.restartCount, maxRestarts);
  const isAnother =
    before.containerID && after.containerID && before.containerID !== after.containerID;
  const counted = Math.max(before.restartCount + (isAnother ? 1 : 0), after.restartCount);
  return Math.min(counted, maxRestarts);
}

/** The API server does not let such a container run again, whatever happened at the provider. */
function hasEndedForGood(
  { name, state }: ContainerStatus,
  { spec, containers }: Pick<ContainerFacts, 'containers' | 'spec'>,
): boolean {
  if (!state?.terminated) return false;
  const container: ContainerWithRules | undefined = containers?.find((one) => one.name === name);
  if (container?.restartPolicyRules?.length) return false;
  const policy = container?.restartPolicy ?? spec.restartPolicy ?? 'Always';
  return policy === 'Never' || (policy === 'OnFailure' && state.terminated.exitCode === 0);
}

/** Newer than the published types: such a container may run again after some exit codes. */
type ContainerWithRules = Container & { readonly restartPolicyRules?: readonly unknown[] };
