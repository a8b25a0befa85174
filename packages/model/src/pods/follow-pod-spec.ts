import {
  compareQuantities,
  deepEqual,
  ownMember,
  parseQuantity,
  type ResourceList,
} from '@liqo/kube';
import type { Container, EphemeralContainer, PodSpec } from './pod-spec.ts';
import { mergeTolerations } from './translate-tolerations.ts';

/**
 * The spec with what an ordinary update of a pod can change brought up to the wanted one: images, deadline, tolerations.
 * Nothing else is looked at. The spec itself, if there is nothing to change.
 */
export function followPodSpec(current: PodSpec, wanted: PodSpec): PodSpec {
  const { activeDeadlineSeconds = current.activeDeadlineSeconds } = wanted;
  const tolerations = mergeTolerations(current.tolerations ?? [], wanted.tolerations ?? []);
  const followed = {
    ...current,
    ...followContainers(current, wanted, followImage),
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    ...(tolerations.length > 0 && { tolerations }),
  };
  return deepEqual(followed, current) ? current : followed;
}

/**
 * The spec with the resources of the pod, its containers and its sidecars brought up to the wanted ones, which in a pod
 * takes a resize. Only amounts that the wanted spec mentions count, as amounts and not as spellings: others are the
 * defaults of the cluster that runs the pod. Kubernetes resizes no other init containers than sidecars. The spec itself, if
 * there is nothing to change.
 */
export function followResources(current: PodSpec, wanted: PodSpec): PodSpec {
  const followed = {
    ...followRequirements(current, wanted),
    ...followContainers(current, wanted, followRequirements, isSidecar),
  };
  return deepEqual(followed, current) ? current : followed;
}

/** The wanted ephemeral containers that the spec lacks, by name: none is ever changed or removed. */
export function missingEphemeral(current: PodSpec, wanted: PodSpec): EphemeralContainer[] {
  const names = new Set(current.ephemeralContainers?.map(({ name }) => name));
  return (wanted.ephemeralContainers ?? []).filter(({ name }) => !names.has(name));
}

/** A restartable init container (KEP-753). */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

type Containers = Pick<PodSpec, 'containers'> & Partial<Pick<PodSpec, 'initContainers'>>;
type Follow = (current: Container, wanted: Container) => Container;

function followContainers(
  current: PodSpec,
  wanted: PodSpec,
  follow: Follow,
  isInitFollowed: (container: Container) => boolean = () => true,
): Containers {
  const byName =
    (containers: readonly Container[] = []) =>
    (container: Container) => {
      const twin = containers.find(({ name }) => name === container.name);
      return twin ? follow(container, twin) : container;
    };
  return {
    containers: current.containers.map(byName(wanted.containers)),
    ...(current.initContainers && {
      initContainers: current.initContainers.map((one) =>
        isInitFollowed(one) ? byName(wanted.initContainers)(one) : one,
      ),
    }),
  };
}

function followImage(current: Container, { image = current.image }: Container): Container {
  return image === undefined ? current : { ...current, image };
}

interface WithResources {
  readonly resources?: Requirements;
}

type Requirements = NonNullable<Container['resources']>;

function followRequirements<T extends WithResources>(current: T, wanted: WithResources): T {
  const { requests, limits } = wanted.resources ?? {};
  if (!requests && !limits) return current;
  const resources = {
    ...current.resources,
    ...(requests && { requests: followAmounts(current.resources?.requests, requests) }),
    ...(limits && { limits: followAmounts(current.resources?.limits, limits) }),
  };
  return { ...current, resources };
}

function followAmounts<T extends ResourceList>(current: T | undefined, wanted: T): T {
  const present: ResourceList = current ?? {};
  const changes = Object.entries(wanted).filter(([name, amount]) => {
    const before = ownMember(present, name);
    return before === undefined || !isSameAmount(before, amount);
  });
  return { ...present, ...Object.fromEntries(changes) } as T;
}

/** An amount that cannot be read is for the API server to refuse. */
function isSameAmount(a: string | number, b: string | number): boolean {
  if (a === b) return true;
  try {
    return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
  } catch {
    return false;
  }
}
