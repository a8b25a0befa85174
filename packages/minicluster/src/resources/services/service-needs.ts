import type { ServiceSpec } from 'kubernetes-types/core/v1.d.ts';

/** What the type of a service asks for. */

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

export function isHeadless({ clusterIP }: ServiceSpec): boolean {
  return clusterIP === 'None';
}

export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

export function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  if (type === 'LoadBalancer') return allocateLoadBalancerNodePorts !== false;
  return type === 'NodePort';
}

export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

/** From outside of the cluster. */
export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
}
