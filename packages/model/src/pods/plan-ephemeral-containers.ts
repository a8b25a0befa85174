import { labels } from '@liqo/api';
import { oneLine, type Pod, type Stored } from '@liqo/kube';
import { appliedMetadata } from '../applied-metadata.ts';
import { apiServerAccess } from './api-server-access.ts';
import { isAddedAtProvider } from './ephemeral-statuses.ts';
import { isFinished } from './finished-phase.ts';
import type { RemoteTwins } from './plan-shadow-pod.ts';
import { kinshipOf } from './pod-kinship.ts';
import type { EphemeralContainer } from './pod-spec.ts';
import { translateContainers } from './translate-containers.ts';
import type { PodRoute } from './translate-pod-spec.ts';

/** Why the ephemeral containers of a pod do not run at the provider. */
export interface EphemeralProblem {
  readonly reason: 'EphemeralContainersUnsupported' | 'EphemeralContainersDenied';
  readonly message: string;
}

export type EphemeralStep =
  | { readonly type: 'leave' }
  /** Replace those of the ShadowPod. */
  | { readonly type: 'send'; readonly ephemeralContainers: readonly EphemeralContainer[] }
  | { readonly type: 'refuse'; readonly problem: EphemeralProblem };

/**
 * What to do about the ephemeral containers of a pod. They are sent once the provider has the pod: a pod cannot be created
 * with them. Those that the provider has reported are not sent again, because a kubelet never restarts one: a pod that is
 * re-created at the provider has none of them.
 */
export function planEphemeralContainers(
  local: Stored<Pod>,
  { shadowPod, pod }: RemoteTwins,
  route: PodRoute,
): EphemeralStep {
  const pending = pendingOf(local);
  const isThere = [shadowPod, pod].every(
    (remote) => remote && !isTerminating(remote) && kinshipOf(remote, local, route) === 'own',
  );
  if (pending.length === 0 || !isThere || isEnding(local)) return { type: 'leave' };
  if (local.metadata.labels?.[labels.remoteUnavailable] === 'true') return { type: 'leave' };
  if (pod?.metadata.annotations?.[appliedMetadata] === undefined) {
    return { type: 'refuse', problem: unsupported(local, route) };
  }
  const sent = new Set(shadowPod?.spec.pod?.ephemeralContainers?.map(({ name }) => name));
  if (pending.every(({ name }) => sent.has(name))) return { type: 'leave' };
  const { spec = { containers: [] } } = local;
  const access = apiServerAccess(local, route.consumerApiServer);
  return { type: 'send', ephemeralContainers: translateContainers(pending, spec, access) };
}

/** The problem of ephemeral containers that the provider’s API server denies, with its message. */
export function deniedEphemeral(
  local: Stored<Pod>,
  { providerClusterID }: PodRoute,
  answer: string,
): EphemeralProblem {
  const message = `${cannotAdd(local)}: the provider "${providerClusterID}" denies it: ${answer}`;
  return { reason: 'EphemeralContainersDenied', message: oneLine(message) };
}

/** Only a provider that records what it applied to a pod brings later changes of a ShadowPod to its pod. */
function unsupported(local: Stored<Pod>, { providerClusterID }: PodRoute): EphemeralProblem {
  const message =
    `${cannotAdd(local)}: the Liqo of provider "${providerClusterID}" does not pass them on to running pods; ` +
    'use "kubectl exec", or "kubectl debug --copy-to" for a copy of the pod';
  return { reason: 'EphemeralContainersUnsupported', message };
}

function cannotAdd({ metadata }: Stored<Pod>): string {
  return `Cannot add ephemeral containers to pod "${metadata.name}"`;
}

function pendingOf({ spec, status }: Stored<Pod>): EphemeralContainer[] {
  return (spec?.ephemeralContainers ?? []).filter(
    ({ name }) =>
      !isAddedAtProvider(status?.ephemeralContainerStatuses?.find((one) => one.name === name)),
  );
}

function isTerminating({ metadata }: { metadata: Stored<Pod>['metadata'] }): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isEnding(local: Stored<Pod>): boolean {
  return isTerminating(local) || isFinished(local.status?.phase);
}
