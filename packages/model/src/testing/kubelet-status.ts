import type { PodStatus } from '../pods/pod-status.ts';

const time = '2026-01-01T00:00:00Z';
const condition = { status: 'True', lastProbeTime: null, lastTransitionTime: time };
const container = {
  image: 'docker.io/library/nginx:1.29',
  imageID: 'docker.io/library/nginx@sha256:0123',
  containerID: 'containerd://0123',
  started: true,
  ready: true,
  restartCount: 1,
  allocatedResources: { cpu: '100m', memory: '64Mi' },
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '64Mi' } },
  volumeMounts: [
    { name: 'token', mountPath: '/var/run', readOnly: true, recursiveReadOnly: 'Disabled' },
  ],
  user: { linux: { uid: 0, gid: 0, supplementalGroups: [0, 10] } },
  stopSignal: 'SIGTERM',
};
const ended = {
  exitCode: 3,
  reason: 'Error',
  message: 'line one\nline two\n',
  startedAt: time,
  finishedAt: time,
  containerID: 'containerd://0122',
};

/** As a kubelet of Kubernetes 1.35 reports a pod with all that it can have. */
export const kubeletStatus = {
  observedGeneration: 2,
  phase: 'Running',
  conditions: [
    { type: 'PodReadyToStartContainers', observedGeneration: 2, ...condition },
    { type: 'Initialized', ...condition },
    { type: 'Ready', ...condition },
    { type: 'ContainersReady', ...condition },
    { type: 'PodScheduled', ...condition },
  ],
  hostIP: '10.1.0.1',
  hostIPs: [{ ip: '10.1.0.1' }],
  podIP: '10.80.0.9',
  podIPs: [{ ip: '10.80.0.9' }, { ip: 'fd00::9' }],
  startTime: time,
  initContainerStatuses: [
    {
      name: 'init',
      ...container,
      ready: true,
      started: false,
      state: { terminated: { ...ended, exitCode: 0 } },
      lastState: {},
    },
  ],
  containerStatuses: [
    {
      name: 'web',
      ...container,
      state: { running: { startedAt: time } },
      lastState: { terminated: ended },
    },
  ],
  ephemeralContainerStatuses: [
    {
      name: 'debug',
      ...container,
      state: { waiting: { reason: 'ContainerCreating' } },
      lastState: {},
    },
  ],
  qosClass: 'Burstable',
} as unknown as PodStatus;
