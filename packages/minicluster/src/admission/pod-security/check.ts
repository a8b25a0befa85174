import type { Container, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';

/** A pod, or the template of one. */
export interface PodLike {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec: PodSpec;
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One thing that the Pod Security Standards forbid. `id` decides the order in which violations are told. */
export interface Check {
  readonly id: string;
  /** The minor version since which there is such a check. */
  readonly since: number;
  /** Checks of the baseline that this one says better. */
  readonly replaces?: string;
  find(pod: PodLike, minor: number): Violation | undefined;
}

/** In the order in which the server looks at them. */
export function containersOf({ spec }: PodLike): readonly Container[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...((spec.ephemeralContainers ?? []) as readonly Container[]),
  ];
}

/** `container "a"`, `containers "a", "b"`; undefined when there are none. */
export function containersThat(
  pod: PodLike,
  isBad: (container: Container) => boolean,
): string | undefined {
  const names = containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);
  return names.length > 0 ? `${plural('container', names.length)} ${quoteAll(names)}` : undefined;
}

/** `pod and containers "a", "b"`; undefined when nobody did it. */
export function settersThat(
  isPodBad: boolean,
  badContainers: string | undefined,
): string | undefined {
  const setters = [...(isPodBad ? ['pod'] : []), ...(badContainers ? [badContainers] : [])];
  return setters.length > 0 ? setters.join(' and ') : undefined;
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

export function quoteAll(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** Each once, in the order of the alphabet. */
export function sortedSet(items: readonly (string | undefined)[]): string[] {
  return [...new Set(items.filter((item) => item !== undefined))].sort();
}

export function isWindows({ spec }: PodLike): boolean {
  return spec.os?.name === 'windows';
}

/** Users inside of the pod are nobody outside of it. */
export function hasOwnUsers({ spec }: PodLike): boolean {
  return spec.hostUsers === false;
}
