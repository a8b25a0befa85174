import type { Pod, Stored } from '@liqo/kube';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import { ContainerRunner, type RunnerParts } from './containers/container-runner.ts';
import { roleOf } from './status/container-view.ts';

/** One for every container that the pod begins with, in the order in which they are started. */
export function createRunners(parts: RunnerParts, pod: Stored<Pod>): ContainerRunner[] {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const create = (spec: Container, isInit: boolean) => {
    const restartCount = earlierStarts(pod, spec.name);
    return new ContainerRunner(parts, { spec, role: roleOf(spec, isInit), restartCount });
  };
  return [
    ...initContainers.map((spec) => create(spec, true)),
    ...containers.map((spec) => create(spec, false)),
  ];
}

/** One for every ephemeral container that has come to the pod and has none yet. */
export function createEphemeral(
  parts: RunnerParts,
  pod: Stored<Pod>,
  known: readonly ContainerRunner[],
): readonly ContainerRunner[] {
  const names = new Set(known.map(({ name }) => name));
  const { ephemeralContainers = [] } = pod.spec ?? {};
  const added = ephemeralContainers.filter(({ name }) => !names.has(name));
  return added
    .filter(({ name }) => !hasEnded(pod, name))
    .map((one) => {
      const spec = one as Container;
      return new ContainerRunner(parts, { spec, role: 'ephemeral', restartCount: 0 });
    });
}

/** A node that comes back starts its pods again, and counts that. */
function earlierStarts({ status }: Stored<Pod>, container: string): number {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  const all = [...containerStatuses, ...initContainerStatuses];
  const before = all.find(({ name }) => name === container);
  return before?.containerID ? before.restartCount + 1 : 0;
}

/** They are never started a second time. */
function hasEnded({ status }: Stored<Pod>, container: string): boolean {
  const { ephemeralContainerStatuses = [] } = status ?? {};
  return ephemeralContainerStatuses.some(
    ({ name, containerID }) => name === container && containerID,
  );
}
