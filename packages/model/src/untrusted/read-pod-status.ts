import { checkQualifiedName, isJsonObject, safeText } from '@liqo/kube';
import type { ContainerStatus, PodStatus } from '../pods/pod-status.ts';
import {
  amounts,
  flag,
  generation,
  int32,
  line,
  list,
  listByName,
  object,
  oneOf,
  prose,
  small,
  time,
  timeOrNull,
  withDefaults,
} from './readers.ts';

/** Kubelets keep to them. */
const maxTerminationBytes = 4 * 1024;
const maxTerminationBytesOfPod = 12 * 1024;

const maxContainers = 128;
const maxConditions = 32;

const reason = line(128);
const message = prose(1024);
const reference = line(1024);

const condition = withDefaults(
  { status: 'Unknown' },
  object({
    type: (value) =>
      typeof value === 'string' && checkQualifiedName(value).length === 0 ? value : undefined,
    status: oneOf(['True', 'False', 'Unknown'], 'Unknown'),
    reason,
    message,
    lastProbeTime: timeOrNull,
    lastTransitionTime: timeOrNull,
    observedGeneration: generation,
  }),
);

const state = object({
  waiting: object({ reason, message }),
  running: object({ startedAt: timeOrNull }),
  terminated: object({
    exitCode: int32(-(2 ** 31)),
    signal: int32(-(2 ** 31)),
    reason,
    message: prose(maxTerminationBytes),
    startedAt: timeOrNull,
    finishedAt: timeOrNull,
    containerID: reference,
  }),
});

/** A Go server fills them in. */
const emptyContainer = { image: '', imageID: '', ready: false, restartCount: 0 };

const containers = listByName(
  withDefaults(
    emptyContainer,
    object(
      {
        name: line(63),
        image: reference,
        imageID: reference,
        containerID: reference,
        ready: flag,
        started: flag,
        restartCount: int32(0),
        state,
        lastState: state,
        allocatedResources: amounts,
        resources: object({ requests: amounts, limits: amounts }, small),
      },
      small,
    ),
  ),
  'name',
  maxContainers,
);

const addresses = list(object({ ip: line(64) }), 8);

const readFields = object(
  {
    phase: oneOf(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'], 'Unknown'),
    reason,
    message,
    conditions: listByName(condition, 'type', maxConditions),
    startTime: time,
    observedGeneration: generation,
    hostIP: line(64),
    hostIPs: addresses,
    podIP: line(64),
    podIPs: addresses,
    containerStatuses: containers,
    initContainerStatuses: containers,
    ephemeralContainerStatuses: containers,
  },
  small,
);

/**
 * The status of a pod as another party reports it, with values of the right types, and texts within the limits of
 * Kubernetes. Fields that are not known here are kept if they are small.
 */
export function readPodStatus(value: unknown): PodStatus | undefined {
  if (!isJsonObject(value)) return undefined;
  return withinTotal(readFields(value) as PodStatus);
}

const containerFields = [
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
] as const;

/** As a kubelet does it: each container has its part of what the pod may have. */
function withinTotal(status: PodStatus): PodStatus {
  const count = containerFields.reduce((sum, field) => sum + (status[field]?.length ?? 0), 0);
  const maxBytes = Math.min(maxTerminationBytes, Math.floor(maxTerminationBytesOfPod / count));
  const cut = (one: ContainerStatus) => withMessages(one, maxBytes);
  const lists = containerFields.flatMap((field) => {
    const found = status[field];
    return found ? [[field, found.map(cut)] as const] : [];
  });
  return { ...status, ...Object.fromEntries(lists) };
}

function withMessages(status: ContainerStatus, maxBytes: number): ContainerStatus {
  const { state: now, lastState: last } = status;
  return {
    ...status,
    ...(now && { state: withMessage(now, maxBytes) }),
    ...(last && { lastState: withMessage(last, maxBytes) }),
  };
}

type State = NonNullable<ContainerStatus['state']>;

function withMessage({ terminated, ...state }: State, maxBytes: number): State {
  if (!terminated?.message) return terminated ? { ...state, terminated } : state;
  return {
    ...state,
    terminated: { ...terminated, message: safeText(terminated.message, maxBytes) },
  };
}
