import { createHash } from 'node:crypto';
import type { ContainerStatus, VolumeMount } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerView } from './container-view.ts';

/** Newer than the types: which mounts a container has (1.30) and what it was given of resources (1.33). */
interface NewerFields {
  readonly volumeMounts?: readonly object[];
  readonly allocatedResources?: object;
  readonly resources?: object;
}

export function forgeContainerStatus(view: ContainerView): ContainerStatus {
  const { spec, role, state, lastState, restartCount, ready, started, containerID } = view;
  const { allocated = {}, actual = {} } = view;
  const isSized = containerID !== undefined && role !== 'ephemeral';
  const newer: NewerFields = {
    ...(spec.volumeMounts?.length && { volumeMounts: spec.volumeMounts.map(forgeMount) }),
    ...(isSized && { resources: actual }),
    ...(isSized && allocated.requests && { allocatedResources: allocated.requests }),
  };
  return {
    name: spec.name,
    image: spec.image ?? '',
    imageID: containerID ? imageIdOf(spec.image ?? '') : '',
    ...(containerID && { containerID }),
    state,
    lastState,
    ready,
    started,
    restartCount,
    ...newer,
  } as ContainerStatus;
}

function forgeMount({ name, mountPath, readOnly }: VolumeMount): object {
  return { name, mountPath, ...(readOnly && { readOnly, recursiveReadOnly: 'Disabled' }) };
}

function imageIdOf(image: string): string {
  return `sha256:${createHash('sha256').update(image).digest('hex')}`;
}
