import type { Container, Volume } from 'kubernetes-types/core/v1.d.ts';
import { findProcMount } from './baseline-checks.ts';
import {
  type Check,
  containersOf,
  containersThat,
  hasOwnUsers,
  isWindows,
  type PodLike,
  plural,
  quoteAll,
  settersThat,
  sortedSet,
  type Violation,
} from './check.ts';
import { findForbiddenSeccomp, findMissingSeccomp } from './seccomp.ts';

/** What a pod of the level `restricted` has to do, besides what the baseline forbids. */
export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    since: 8,
    find: (pod, minor) => unlessWindows(pod, minor, findEscalation),
  },
  {
    id: 'capabilities_restricted',
    since: 22,
    replaces: 'capabilities_baseline',
    find: (pod, minor) => unlessWindows(pod, minor, findCapabilities),
  },
  { id: 'procMount_restricted', since: 35, replaces: 'procMount', find: findProcMount },
  { id: 'restrictedVolumes', since: 0, replaces: 'hostPathVolumes', find: findVolumes },
  {
    id: 'runAsNonRoot',
    since: 0,
    find: (pod, minor) => unlessOwnUsers(pod, minor, findRoot),
  },
  {
    id: 'runAsUser',
    since: 23,
    find: (pod, minor) => unlessOwnUsers(pod, minor, findUserZero),
  },
  {
    id: 'seccompProfile_restricted',
    since: 19,
    replaces: 'seccompProfile_baseline',
    find: (pod, minor) =>
      unlessWindows(pod, minor, (one) => findForbiddenSeccomp(one) ?? findMissingSeccomp(one)),
  },
];

type Find = (pod: PodLike) => Violation | undefined;

/** Since 1.25 it is known that Windows has no such things. */
function unlessWindows(pod: PodLike, minor: number, find: Find): Violation | undefined {
  return minor >= 25 && isWindows(pod) ? undefined : find(pod);
}

function unlessOwnUsers(pod: PodLike, minor: number, find: Find): Violation | undefined {
  return minor >= 35 && hasOwnUsers(pod) ? undefined : find(pod);
}

function findEscalation(pod: PodLike): Violation | undefined {
  const bad = containersThat(
    pod,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (!bad) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${bad} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function findCapabilities(pod: PodLike): Violation | undefined {
  const keeps = ({ securityContext }: Container) =>
    !securityContext?.capabilities?.drop?.includes('ALL');
  const addedBy = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter((one) => one !== 'NET_BIND_SERVICE');
  const keeping = containersThat(pod, keeps);
  const adding = containersThat(pod, (container) => addedBy(container).length > 0);
  const added = quoteAll(sortedSet(containersOf(pod).flatMap(addedBy)));
  const details = [
    ...(keeping ? [`${keeping} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding ? [`${adding} must not include ${added} in securityContext.capabilities.add`] : []),
  ];
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const allowedVolumes: readonly string[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

function findVolumes({ spec }: PodLike): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((one) => !allowedVolumes.includes(volumeType(one)));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(volumeType));
  const who = `${plural('volume', bad.length)} ${quoteAll(bad.map(({ name }) => name))}`;
  const what = `${plural('restricted volume type', types.length)} ${quoteAll(types)}`;
  const detail = `${who} ${bad.length === 1 ? 'uses' : 'use'} ${what}`;
  return { reason: 'restricted volume types', detail };
}

function volumeType({ name: _, ...source }: Volume): string {
  return Object.keys(source)[0] ?? 'unknown';
}

function findRoot(pod: PodLike): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const saysNo = ({ securityContext }: Container) => securityContext?.runAsNonRoot === false;
  const setters = settersThat(ofPod === false, containersThat(pod, saysNo));
  if (setters) {
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  }
  const isSilent = ({ securityContext }: Container) => securityContext?.runAsNonRoot === undefined;
  const silent = ofPod ? undefined : containersThat(pod, isSilent);
  if (!silent) return undefined;
  return { reason, detail: `pod or ${silent} must set securityContext.runAsNonRoot=true` };
}

function findUserZero(pod: PodLike): Violation | undefined {
  const ofPod = pod.spec.securityContext?.runAsUser === 0;
  const bad = containersThat(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
  const setters = settersThat(ofPod, bad);
  return setters
    ? { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
    : undefined;
}
