import type { Pod, Service, Stored } from '@liqo/kube';
import type { ServicePort } from 'kubernetes-types/core/v1.d.ts';
import type { EndpointPort } from 'kubernetes-types/discovery/v1.d.ts';
import { isPodFinished, isPodTerminating } from '../pod-state.ts';

export type AddressType = 'IPv4' | 'IPv6';

export function isHeadless({ spec }: Service): boolean {
  return !spec?.clusterIP || spec.clusterIP === 'None';
}

export function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const families = spec?.ipFamilies ?? [];
  return families.length > 0 ? families.map((family) => family as AddressType) : ['IPv4'];
}

export function addressesOf(pod: Pod, type: AddressType): readonly string[] {
  const ips = pod.status?.podIPs?.flatMap(({ ip }) => ip ?? []) ?? [];
  return ips.filter((ip) => ip.includes(':') === (type === 'IPv6'));
}

/** The pods behind a service: those that have an address and have not finished. */
export function podsBehind(
  pods: readonly Stored<Pod>[],
  options: { readonly withTerminating: boolean },
): readonly Stored<Pod>[] {
  return pods.filter((pod) => {
    if (isPodFinished(pod) || !pod.status?.podIPs?.length) return false;
    return options.withTerminating || !isPodTerminating(pod);
  });
}

/** The ports at which a pod serves. A named one that the pod does not have is left out. */
export function portsOf(service: Service, pod: Pod): readonly EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((servicePort) => {
    const port = findPort(servicePort, pod);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol && { appProtocol }) }];
  });
}

function findPort(servicePort: ServicePort, pod: Pod): number | undefined {
  const { targetPort = servicePort.port, protocol = 'TCP' } = servicePort;
  if (typeof targetPort === 'number') return targetPort;
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...containers, ...sidecars].flatMap((container) => container.ports ?? []);
  const isMeant = (port: { name?: string; protocol?: string }) =>
    port.name === targetPort && (port.protocol ?? 'TCP') === protocol;
  return ports.find(isMeant)?.containerPort;
}

/** Pods with a name of their own within the service, as those of a StatefulSet. */
export function hostnameOf(service: Stored<Service>, pod: Stored<Pod>): string | undefined {
  const { hostname, subdomain } = pod.spec ?? {};
  const isNamed = hostname && subdomain === service.metadata.name;
  return isNamed && service.metadata.namespace === pod.metadata.namespace ? hostname : undefined;
}

export function targetRefOf(pod: Stored<Pod>) {
  const { namespace = '', name, uid } = pod.metadata;
  return { kind: 'Pod', namespace, name, uid };
}
