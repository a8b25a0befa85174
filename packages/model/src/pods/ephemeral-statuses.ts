import type { ShadowPod } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { appliedGeneration } from '../applied-metadata.ts';
import { denialOf, deniedChange } from '../shadow-pods/denied-change.ts';
import type { ContainerStatus } from './pod-status.ts';
import { endContainer } from './reflect-containers.ts';

interface Problem {
  readonly reason: string;
  readonly message: string;
}

export interface EphemeralFacts {
  readonly local: Stored<Pod>;
  /** The pod at the provider; undefined while there is none. */
  readonly remotePod: Stored<Pod> | undefined;
  readonly shadowPod: Stored<ShadowPod> | undefined;
  /** Why those that the provider’s pod does not have were not sent there. */
  readonly problem?: Problem | undefined;
  readonly now: string;
}

/** The reasons of statuses that the virtual kubelet wrote for ephemeral containers that the provider’s pod does not have. */
const notAdded: ReadonlySet<string | undefined> = new Set([
  'EphemeralContainersUnsupported',
  'EphemeralContainersDenied',
  deniedChange,
]);

/** Whether the status of an ephemeral container came from the provider. */
export function isAddedAtProvider(status: ContainerStatus | undefined): boolean {
  return status !== undefined && !notAdded.has(status.state?.waiting?.reason);
}

/**
 * The statuses of the ephemeral containers of a pod at the consumer, in the order of its spec. One that has ended stays
 * ended, as the API server demands. One that ran in a pod that is gone at the provider has ended: no kubelet restarts it.
 */
export function reflectEphemeral(facts: EphemeralFacts): ContainerStatus[] {
  const { local } = facts;
  return (local.spec?.ephemeralContainers ?? []).flatMap(({ name, image = '' }) => {
    const before = named(local.status?.ephemeralContainerStatuses, name);
    if (before?.state?.terminated) return [before];
    const isThere = facts.remotePod?.spec?.ephemeralContainers?.some((one) => one.name === name);
    if (isThere)
      return named(facts.remotePod?.status?.ephemeralContainerStatuses, name) ?? before ?? [];
    if (isAddedAtProvider(before) || isLeftOut(facts, name)) {
      const status = before ?? emptyStatus(name, image);
      return [endContainer(status, { ...lost, now: facts.now })];
    }
    const problem = problemOf(facts, name);
    return problem ? [waiting(name, image, problem)] : (before ?? []);
  });
}

/** Whether the provider’s pod has all ephemeral containers of the pod at the consumer, but for those that have ended. */
export function hasAllEphemeral(local: Stored<Pod>, remotePod: Stored<Pod>): boolean {
  const present = new Set(remotePod.spec?.ephemeralContainers?.map(({ name }) => name));
  return (local.spec?.ephemeralContainers ?? []).every(
    ({ name }) =>
      present.has(name) ||
      named(local.status?.ephemeralContainerStatuses, name)?.state?.terminated !== undefined,
  );
}

/** As the kubelet reports a container that is no longer there. */
const lost = { exitCode: 137, reason: 'ContainerStatusUnknown' };

function named(
  statuses: readonly ContainerStatus[] | undefined,
  name: string,
): ContainerStatus | undefined {
  return statuses?.find((one) => one.name === name);
}

/** Whether it was sent, and the provider’s pod was created from the ShadowPod after that: a pod is created without them. */
function isLeftOut({ remotePod, shadowPod }: EphemeralFacts, name: string): boolean {
  const isSent = shadowPod?.spec.pod?.ephemeralContainers?.some((one) => one.name === name);
  const applied = appliedGeneration(remotePod?.metadata);
  return isSent === true && applied !== undefined && applied === shadowPod?.metadata.generation;
}

/** Denied by the provider’s API server, or not sent at all. */
function problemOf({ shadowPod, problem }: EphemeralFacts, name: string): Problem | undefined {
  const message = denialOf(shadowPod?.status, { ephemeralContainer: name });
  return message === undefined ? problem : { reason: deniedChange, message };
}

/** `kubectl debug` prints the message of a container that waits. */
function waiting(name: string, image: string, { reason, message }: Problem): ContainerStatus {
  return { ...emptyStatus(name, image), state: { waiting: { reason, message } } };
}

function emptyStatus(name: string, image: string): ContainerStatus {
  return { name, image, imageID: '', ready: false, restartCount: 0 };
}
