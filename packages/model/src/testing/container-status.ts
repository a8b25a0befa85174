import type { ContainerStatus } from '../pods/pod-status.ts';

/** A container that runs, unless it is said otherwise. */
export function containerStatus(parts: Partial<ContainerStatus> = {}): ContainerStatus {
  return {
    name: 'web',
    image: 'nginx:1.29',
    imageID: 'sha256:1',
    containerID: 'containerd://1',
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: '2026-01-01T00:00:01Z' } },
    ...parts,
  };
}
