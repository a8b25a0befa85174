import { deepEqual, type Pod, type Stored } from '@liqo/kube';
import type { Container, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';
import { isSidecar } from '../../scheduler/pod-requests.ts';

/** A container that has been allocated something else than before. */
export interface ResizedContainer {
  readonly name: string;
  /** Whether it must be started again to get it. */
  readonly byRestart: boolean;
}

type Policy = NonNullable<Container['resizePolicy']>[number];

/** What a node has set aside for the containers of a pod: as the pod was when it was taken in or last resized. */
export class PodAllocation {
  readonly #resources = new Map<string, ResourceRequirements>();

  constructor(pod: Stored<Pod>) {
    for (const container of allContainers(pod)) this.#take(container);
  }

  of(container: Container): ResourceRequirements {
    return this.#resources.get(container.name) ?? container.resources ?? {};
  }

  isFor(pod: Stored<Pod>): boolean {
    return resizable(pod).every((one) => deepEqual(this.of(one), one.resources ?? {}));
  }

  /** Sets aside what the pod asks for now. */
  accept(pod: Stored<Pod>): readonly ResizedContainer[] {
    const changed = resizable(pod).filter((one) => !deepEqual(this.of(one), one.resources ?? {}));
    const resized = changed.map((one) => ({
      name: one.name,
      byRestart: needsRestart(one, this.of(one)),
    }));
    for (const container of changed) this.#take(container);
    return resized;
  }

  /** The pod as if it asked for no more than it has been given. */
  appliedTo(pod: Stored<Pod>): Stored<Pod> {
    const given = (one: Container): Container => ({ ...one, resources: this.of(one) });
    const { containers = [], initContainers } = pod.spec ?? {};
    const inits = initContainers && { initContainers: initContainers.map(given) };
    return { ...pod, spec: { ...pod.spec, containers: containers.map(given), ...inits } };
  }

  #take({ name, resources = {} }: Container): void {
    this.#resources.set(name, resources);
  }
}

function allContainers({ spec }: Stored<Pod>): readonly Container[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}

function resizable({ spec }: Stored<Pod>): readonly Container[] {
  return [...(spec?.initContainers ?? []).filter(isSidecar), ...(spec?.containers ?? [])];
}

function needsRestart({ resizePolicy, resources }: Container, before: ResourceRequirements) {
  return (resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }: Policy) =>
      restartPolicy === 'RestartContainer' &&
      (before.limits?.[resourceName] !== resources?.limits?.[resourceName] ||
        before.requests?.[resourceName] !== resources?.requests?.[resourceName]),
  );
}
