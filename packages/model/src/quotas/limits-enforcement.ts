import type { Quota } from '@liqo/api';
import { compareQuantities, ownMember, parseQuantity, type ResourceList } from '@liqo/kube';
import type { Container, PodSpec } from '../pods/pod-spec.ts';
import { withDefaultRequests } from './default-requests.ts';

type Enforcement = NonNullable<Quota['spec']['limitsEnforcement']>;

const required = ['cpu', 'memory'] as const;

/**
 * What a pod lacks under `limitsEnforcement`; undefined if nothing. Soft: each container requests CPU and memory, unless the pod
 * does as a whole. Hard: and what is requested is also the limit.
 */
export function missingLimits(spec: PodSpec, enforcement: Enforcement): string | undefined {
  if (enforcement === 'None') return undefined;
  const complete = withDefaultRequests(spec);
  const containers = [...(complete.initContainers ?? []), ...complete.containers];
  const ofPod = complete.resources?.requests ?? {};
  return (
    containers.map((one) => missingRequest(one, ofPod)).find(isText) ??
    (enforcement === 'Hard' ? looseLimit(complete, containers) : undefined)
  );
}

function missingRequest({ name, resources }: Container, ofPod: ResourceList): string | undefined {
  const requests = { ...ofPod, ...resources?.requests };
  const missing = required.find((resource) => !Object.hasOwn(requests, resource));
  return missing && `container "${name}" does not request ${missing}`;
}

function looseLimit(spec: PodSpec, containers: readonly Container[]): string | undefined {
  const all = containers.map(({ name, resources }) => ({
    owner: `container "${name}"`,
    resources,
  }));
  for (const { owner, resources } of [...all, { owner: 'the pod', resources: spec.resources }]) {
    const { requests = {}, limits = {} } = resources ?? {};
    const loose = Object.entries(requests).find(
      ([resource, request]) => !isSame(request, ownMember<string | number>(limits, resource)),
    );
    if (loose) return `${owner} has another limit of ${loose[0]} than it requests`;
  }
  return undefined;
}

function isSame(request: string | number, limit: string | number | undefined): boolean {
  if (limit === undefined) return false;
  return compareQuantities(parseQuantity(request), parseQuantity(limit)) === 0;
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}
