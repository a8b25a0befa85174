import type { ApiServerAccess, ConsumerApiServer } from './api-server-access.ts';
import type { Container, EnvVar, EphemeralContainer, PodSpec } from './pod-spec.ts';

/** The containers, init containers or ephemeral containers of a pod as they are at the provider. */
export function translateContainers<T extends Container | EphemeralContainer>(
  containers: readonly T[],
  spec: PodSpec,
  access: ApiServerAccess,
): T[] {
  return containers.map((container) => {
    const env = access.type === 'consumer' ? translateEnv(container, spec, access.server) : [];
    const ports = spec.hostNetwork ? withoutHostPorts(container.ports) : [];
    return {
      ...container,
      ...(env.length > 0 && { env }),
      ...(ports.length > 0 && { ports }),
    };
  });
}

function translateEnv(
  { env = [] }: Pick<Container, 'env'>,
  { serviceAccountName = 'default' }: PodSpec,
  server: ConsumerApiServer,
): EnvVar[] {
  const own = env.map((variable) => withAccountName(variable, serviceAccountName));
  const names = new Set(env.map(({ name }) => name));
  return [...own, ...apiServerEnv(server).filter(({ name }) => !names.has(name))];
}

/** The account of the pod at the provider is another one. */
function withAccountName(variable: EnvVar, serviceAccountName: string): EnvVar {
  const isAccount = variable.valueFrom?.fieldRef?.fieldPath === 'spec.serviceAccountName';
  return isAccount ? { name: variable.name, value: serviceAccountName } : variable;
}

/** What the kubelet would set for the Service `kubernetes`, if the consumer’s were the one. */
function apiServerEnv({ host, port }: ConsumerApiServer): EnvVar[] {
  const variable = (name: string, value: string): EnvVar => ({ name, value });
  const urlHost = host.includes(':') ? `[${host}]` : host;
  const url = `tcp://${urlHost}:${port}`;
  const prefix = `KUBERNETES_PORT_${port}_TCP`;
  return [
    variable('KUBERNETES_SERVICE_HOST', host),
    variable('KUBERNETES_SERVICE_PORT', port),
    variable('KUBERNETES_PORT', url),
    variable(prefix, url),
    variable(`${prefix}_PROTO`, 'tcp'),
    variable(`${prefix}_ADDR`, host),
    variable(`${prefix}_PORT`, port),
  ];
}

type Ports = NonNullable<Container['ports']>;

/** With `hostNetwork` the API server makes every port a host port; without, that would claim ports of the host. */
function withoutHostPorts(ports: Ports = []): Ports {
  return ports.map((port) => {
    const { hostPort, ...rest } = port;
    return hostPort === port.containerPort ? rest : port;
  });
}
