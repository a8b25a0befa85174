import type { Pod, Stored } from '@liqo/kube';
import type { Container, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';

/** What the kubelet's events say of a resize: the resources of all containers, as Go prints them in JSON. */
export function describeResize(what: string, pod: Stored<Pod>, error?: string): string {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const summary = {
    ...(initContainers.length > 0 && { initContainers: initContainers.map(summarize) }),
    ...(containers.length > 0 && { containers: containers.map(summarize) }),
    generation: pod.metadata.generation ?? 0,
    ...(error && { error }),
  };
  return `${what}: ${JSON.stringify(summary)}`;
}

function summarize({ name, resources = {} }: Container): object {
  return { name, resources: sorted(resources) };
}

function sorted({ limits, requests }: ResourceRequirements): object {
  return {
    ...(limits && { limits: byName(limits) }),
    ...(requests && { requests: byName(requests) }),
  };
}

function byName(amounts: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
