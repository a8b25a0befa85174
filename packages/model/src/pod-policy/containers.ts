import type { Container, PodSpec } from '../pods/pod-spec.ts';

export function withoutHostPorts(spec: PodSpec): PodSpec {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: containers.map(withoutOwnHostPorts),
    ...(initContainers && { initContainers: initContainers.map(withoutOwnHostPorts) }),
  };
}

function withoutOwnHostPorts(container: Container): Container {
  const { ports } = container;
  if (!ports) return container;
  return { ...container, ports: ports.map(({ hostPort: _, hostIP: __, ...port }) => port) };
}

export function claimedDevices(spec: PodSpec): readonly string[] {
  const claims = spec.resourceClaims ?? [];
  return claims.length > 0 ? ['devices (resourceClaims) are not for consumers'] : [];
}

/** From the network of the node, where services listen that pods do not reach. */
export function hostsOfProbes(spec: PodSpec): readonly string[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  return [...containers, ...initContainers, ...ephemeralContainers].flatMap((container) => {
    const { name, livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
    const { postStart, preStop } = lifecycle ?? {};
    const handlers = [livenessProbe, readinessProbe, startupProbe, postStart, preStop];
    const hosts = handlers.flatMap((one) => [one?.httpGet?.host, one?.tcpSocket?.host]);
    return hosts.some(Boolean) ? [`a probe or hook of container "${name}" names a host`] : [];
  });
}
