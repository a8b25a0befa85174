import { keyOf, keyString, type Pod, type Stored } from '@liqo/kube';
import { type AffinityTerms, readAffinityTerms } from './affinity-term.ts';
import { type HostPort, hostPortsOf } from './host-port.ts';
import { type Amounts, podRequests, scoredRequests } from './pod-requests.ts';

/** A pod with all that the plugins ask of it worked out once. */
export interface PodInfo extends AffinityTerms {
  readonly pod: Stored<Pod>;
  readonly key: string;
  readonly requests: Amounts;
  readonly scoredRequests: Amounts;
  readonly hostPorts: readonly HostPort[];
}

export function forgePodInfo(pod: Stored<Pod>): PodInfo {
  return {
    pod,
    key: keyString(keyOf(pod)),
    requests: podRequests(pod),
    scoredRequests: scoredRequests(pod),
    hostPorts: hostPortsOf(pod),
    ...readAffinityTerms(pod),
  };
}

export function hasAffinity(pod: PodInfo): boolean {
  return (
    pod.requiredAffinity.length +
      pod.requiredAntiAffinity.length +
      pod.preferredAffinity.length +
      pod.preferredAntiAffinity.length >
    0
  );
}
