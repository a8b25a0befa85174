import { annotations, labels, ShadowPod } from '@liqo/api';
import { findCondition, keyString, Pod, type Stored } from '@liqo/kube';
import type { Survey } from '../survey.ts';

export interface Surveys {
  readonly home: Survey;
  readonly providers: readonly Survey[];
  /** Names of the virtual nodes. */
  readonly virtualNodes: ReadonlySet<string>;
}

type PodStatus = NonNullable<Pod['status']>;

/** A pod at home has at most one over there, by its UID; and what is over there has its pod at home. */
export function findStrays({ home, providers }: Surveys): string[] {
  const wrongs: string[] = [];
  const atHome = new Map(home.all(Pod).map((pod) => [pod.metadata.uid, pod]));
  const seen = new Map<string, string>();
  for (const pod of providers.flatMap((one) => one.all(Pod))) {
    const uid = homeUidOf(pod);
    if (uid === undefined) continue;
    const name = keyString(pod.metadata);
    if (!atHome.has(uid)) wrongs.push(`pod "${name}" over there has no pod at home`);
    const other = seen.get(uid);
    if (other !== undefined) wrongs.push(`"${name}" and "${other}" are of one pod at home`);
    seen.set(uid, name);
  }
  for (const shadow of providers.flatMap((one) => one.all(ShadowPod))) {
    const uid = homeUidOf(shadow);
    if (uid === undefined || atHome.has(uid)) continue;
    wrongs.push(`ShadowPod "${keyString(shadow.metadata)}" has no pod at home`);
  }
  return wrongs;
}

/** What a pod says at home is what the one over there says. */
export function findLies({ home, providers, virtualNodes }: Surveys): string[] {
  const pods = providers.flatMap((one) => one.all(Pod));
  const remote = new Map(pods.map((pod) => [homeUidOf(pod), pod]));
  return home
    .all(Pod)
    .filter((pod) => virtualNodes.has(pod.spec?.nodeName ?? ''))
    .flatMap((pod) => {
      const lie = findLie(pod, remote.get(pod.metadata.uid));
      return lie === undefined ? [] : [`pod "${keyString(pod.metadata)}" at home ${lie}`];
    });
}

function findLie(pod: Stored<Pod>, remote: Stored<Pod> | undefined): string | undefined {
  const { phase = 'Pending', reason } = pod.status ?? {};
  if (pod.metadata.deletionTimestamp !== undefined) return 'is never gone, though it was deleted';
  if (hasEnded(pod.status)) return undefined;
  if (!remote) {
    if (phase !== 'Pending') return `is ${phase}, and there is none over there`;
    return reason === undefined ? 'waits, and does not say why' : undefined;
  }
  const [wants, has] = [resourcesOf(pod), resourcesOf(remote)];
  if (wants !== has) return `asks for ${wants}, and over there for ${has}`;
  const isMarked = pod.metadata.labels?.[labels.remoteUnavailable] === 'true';
  const there = summaryOf(remote.status, isMarked);
  const here = summaryOf(pod.status, isMarked);
  return here === there ? undefined : `says ${here}, and over there it is ${there}`;
}

/** What its containers and sidecars ask for: the provider resizes its pod as the local one is resized. */
function resourcesOf({ spec }: Pod): string {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return containers.map(({ name, resources }) => `${name} ${resources?.requests?.cpu}`).join();
}

/** Behind a node that is not ready, a pod is not ready either, whatever it is over there. */
function summaryOf(status: PodStatus | undefined, isMarked: boolean): string {
  const { phase = 'Pending', conditions, containerStatuses = [], podIP } = status ?? {};
  const ready = findCondition(conditions, 'Ready')?.status;
  const containers = containerStatuses.map(({ name, ready: isReady, state }) => {
    return `${name} ${Object.keys(state ?? {}).join()} ready=${isReady}`;
  });
  return [phase, ...(isMarked ? [] : [`Ready=${ready}`]), podIP, ...containers].join(' ');
}

/** A pod that does not run says why. */
export function findSilent({ home }: Surveys): string[] {
  const silent = home.all(Pod).filter(({ status, metadata }) => {
    const isStill = status?.phase === 'Running' || hasEnded(status);
    return !isStill && metadata.deletionTimestamp === undefined && !givesReason(status);
  });
  return silent.map(({ metadata, status }) => {
    const phase = status?.phase ?? 'Pending';
    return `pod "${keyString(metadata)}" is ${phase} and does not say why`;
  });
}

function givesReason(status: PodStatus | undefined): boolean {
  const { reason, conditions = [], containerStatuses = [] } = status ?? {};
  return (
    reason !== undefined ||
    conditions.some((condition) => condition.status === 'False' && condition.reason) ||
    containerStatuses.some(({ state }) => state?.waiting?.reason)
  );
}

function hasEnded(status: PodStatus | undefined): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function homeUidOf({ metadata }: Stored<Pod> | Stored<ShadowPod>): string | undefined {
  const isOurs = metadata.labels?.[labels.origin] !== undefined;
  return isOurs ? metadata.annotations?.[annotations.podUid] : undefined;
}
