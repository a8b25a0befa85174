import type { Container, LifecycleHandler } from 'kubernetes-types/core/v1.d.ts';
import {
  type Check,
  containersOf,
  containersThat,
  type PodLike,
  plural,
  quoteAll,
  settersThat,
  sortedSet,
  type Violation,
} from './check.ts';

/** What the baseline forbids about the node that a pod runs on. */
export const hostChecks: readonly Check[] = [
  { id: 'hostNamespaces', since: 0, find: findHostNamespaces },
  { id: 'hostPathVolumes', since: 0, find: findHostPaths },
  { id: 'hostPorts', since: 0, find: findHostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, find: findProbeHosts },
  { id: 'windowsHostProcess', since: 0, find: findHostProcesses },
];

function findHostNamespaces({ spec }: PodLike): Violation | undefined {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  const detail = used.map((name) => `${name}=true`).join(', ');
  return detail ? { reason: 'host namespaces', detail } : undefined;
}

function findHostPaths({ spec }: PodLike): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const detail = `${plural('volume', names.length)} ${quoteAll(names)}`;
  return { reason: 'hostPath volumes', detail };
}

function findHostPorts(pod: PodLike): Violation | undefined {
  const portsOf = ({ ports = [] }: Container) => ports.filter(({ hostPort }) => hostPort);
  const bad = containersThat(pod, (container) => portsOf(container).length > 0);
  if (!bad) return undefined;
  const ports = containersOf(pod).flatMap(portsOf);
  const numbers = sortedSet(ports.map(({ hostPort }) => String(hostPort)));
  const detail = `${bad} ${verb(bad)} ${plural('hostPort', numbers.length)} ${numbers.join(', ')}`;
  return { reason: 'hostPort', detail };
}

function findProbeHosts(pod: PodLike): Violation | undefined {
  const bad = containersOf(pod).filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.map(({ name }) => name));
  const hosts = sortedSet(bad.flatMap(hostsOf));
  const who = `${plural('container', names.length)} ${quoteAll(names)}`;
  const what = `${plural('probe or lifecycle host', hosts.length)} ${quoteAll(hosts)}`;
  return { reason: 'probe or lifecycle host', detail: `${who} ${verb(who)} ${what}` };
}

function hostsOf(container: Container): readonly string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const handlers = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers.flatMap((handler: LifecycleHandler | undefined) =>
    [handler?.httpGet?.host, handler?.tcpSocket?.host].filter(
      (host) => host !== undefined && host !== '',
    ),
  ) as readonly string[];
}

function findHostProcesses(pod: PodLike): Violation | undefined {
  const ofPod = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
  const bad = containersThat(
    pod,
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
  );
  const setters = settersThat(ofPod, bad);
  if (!setters) return undefined;
  const detail = `${setters} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
}

function verb(who: string): string {
  return who.startsWith('containers') ? 'use' : 'uses';
}
