import { deepEqual, type Service, type Stored } from '@liqo/kube';
import type { ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { changeEach } from '../fill-in.ts';
import {
  allocatesNodePorts,
  hasNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheckPort,
} from './service-needs.ts';

/** One address can be written where the list of addresses is meant. */
export function withClusterIps(service: Service): Service {
  const { spec } = service;
  if (!spec?.clusterIP || spec.clusterIPs?.length) return service;
  return { ...service, spec: { ...spec, clusterIPs: [spec.clusterIP] } };
}

/** The policy of a name of another host is kept for the day it is a service again, and not shown. */
export function readService(service: Stored<Service>): Stored<Service> {
  if (service.spec?.type !== 'ExternalName') return service;
  const { internalTrafficPolicy: _, ...spec } = service.spec;
  return { ...service, spec };
}

/**
 * What a client left out because the server had chosen it stays; what no longer fits the type goes, unless the client
 * changed it, too.
 */
export function updateService(next: Service, previous: Stored<Service>): Service {
  const spec = next.spec ?? {};
  const old = previous.spec ?? {};
  const patched = withAllocated(spec, old);
  const normal = withMatchingIps(patched, old);
  const fitting = withoutUnfitting(normal, old);
  const keepsStatus = fitting.type === 'LoadBalancer';
  return {
    ...next,
    spec: fitting,
    ...(!keepsStatus && { status: { ...next.status, loadBalancer: {} } }),
  };
}

function withAllocated(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const needsIps = needsClusterIp(spec) && needsClusterIp(old);
  const { clusterIP, clusterIPs, healthCheckNodePort } = old;
  const withIps: ServiceSpec = needsIps
    ? {
        ...spec,
        ...(!spec.clusterIP && clusterIP && { clusterIP }),
        ...(!spec.clusterIPs?.length && clusterIPs?.length && { clusterIPs }),
        ...(!spec.ipFamilyPolicy && old.ipFamilyPolicy && { ipFamilyPolicy: old.ipFamilyPolicy }),
        ...(!spec.ipFamilies?.length && old.ipFamilies && { ipFamilies: old.ipFamilies }),
      }
    : spec;
  const keepsPorts = allocatesNodePorts(spec) && allocatesNodePorts(old);
  const withPorts = keepsPorts ? withNodePorts(withIps, old) : withIps;
  const keepsCheck = needsHealthCheckPort(spec) && needsHealthCheckPort(old);
  if (!keepsCheck || spec.healthCheckNodePort || !healthCheckNodePort) return withPorts;
  return { ...withPorts, healthCheckNodePort };
}

/** Ports are the same ones when they have the same name. */
function withNodePorts(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const taken = new Set((spec.ports ?? []).map(({ nodePort }) => nodePort));
  return changeEach(spec, 'ports', (port: ServicePort) => {
    const before = old.ports?.findLast(({ name }) => name === port.name)?.nodePort;
    if (port.nodePort || !before || taken.has(before)) return port;
    return { ...port, nodePort: before };
  });
}

function withMatchingIps(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  if (spec.clusterIP === old.clusterIP || !deepEqual(spec.clusterIPs, old.clusterIPs)) return spec;
  if (spec.clusterIP) return { ...spec, clusterIPs: [spec.clusterIP] };
  const { clusterIPs: _, ...rest } = spec;
  return rest;
}

function withoutUnfitting(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const dropped = unfittingFields(spec, old).filter((field) => deepEqual(spec[field], old[field]));
  const kept = Object.entries(spec).filter(([field]) => !dropped.includes(field as Field));
  const rest: ServiceSpec = Object.fromEntries(kept);
  const losesPorts = hasNodePorts(old) && !hasNodePorts(spec) && !hasNewNodePorts(spec, old);
  return losesPorts ? changeEach(rest, 'ports', withoutNodePort) : rest;
}

type Field = keyof ServiceSpec;

function unfittingFields(spec: ServiceSpec, old: ServiceSpec): readonly Field[] {
  const loses = (needs: (one: ServiceSpec) => boolean) => needs(old) && !needs(spec);
  const isBalanced = ({ type }: ServiceSpec) => type === 'LoadBalancer';
  const ips: readonly Field[] = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];
  const balanced: readonly Field[] = ['allocateLoadBalancerNodePorts', 'loadBalancerClass'];
  return [
    ...(loses(needsClusterIp) ? ips : []),
    ...(loses(needsHealthCheckPort) ? (['healthCheckNodePort'] as const) : []),
    ...(loses(isBalanced) ? balanced : []),
    ...(loses(isExternallyAccessible) ? (['externalTrafficPolicy'] as const) : []),
  ];
}

function hasNewNodePorts(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set((old.ports ?? []).map(({ nodePort }) => nodePort));
  return (spec.ports ?? []).some(({ nodePort }) => nodePort && !before.has(nodePort));
}

function withoutNodePort({ nodePort: _, ...port }: ServicePort): ServicePort {
  return port;
}
