import type { SeccompProfile } from 'kubernetes-types/core/v1.d.ts';
import {
  containersOf,
  containersThat,
  type PodLike,
  plural,
  quoteAll,
  settersThat,
  sortedSet,
  type Violation,
} from './check.ts';

const reason = 'seccompProfile';
const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before 1.19 profiles were annotations. */
export function findSeccompAnnotations(pod: PodLike): Violation | undefined {
  const annotations = pod.metadata?.annotations ?? {};
  const keys = [podAnnotation, ...containersOf(pod).map(({ name }) => containerAnnotation + name)];
  const bad = keys.flatMap((key) => {
    const value = annotations[key];
    return value === undefined || isAllowed(value) ? [] : [`${key}=${JSON.stringify(value)}`];
  });
  const forbidden = sortedSet(bad);
  if (forbidden.length === 0) return undefined;
  const detail = `forbidden ${plural('annotation', forbidden.length)} ${forbidden.join(', ')}`;
  return { reason, detail };
}

function isAllowed(value: string): boolean {
  return (
    value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')
  );
}

export function findForbiddenSeccomp(pod: PodLike): Violation | undefined {
  const ofPod = badType(pod.spec.securityContext?.seccompProfile);
  const ofContainers = containersOf(pod).map((one) => badType(one.securityContext?.seccompProfile));
  const bad = containersThat(
    pod,
    ({ securityContext }) => badType(securityContext?.seccompProfile) !== undefined,
  );
  const setters = settersThat(ofPod !== undefined, bad);
  if (!setters) return undefined;
  const types = quoteAll(sortedSet([ofPod, ...ofContainers]));
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${types}`;
  return { reason, detail };
}

function badType(profile: SeccompProfile | undefined): string | undefined {
  const type = profile?.type;
  return type === 'RuntimeDefault' || type === 'Localhost' ? undefined : type;
}

export function findMissingSeccomp(pod: PodLike): Violation | undefined {
  if (pod.spec.securityContext?.seccompProfile) return undefined;
  const bad = containersThat(pod, ({ securityContext }) => !securityContext?.seccompProfile);
  if (!bad) return undefined;
  const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason, detail: `pod or ${bad} ${must}` };
}
