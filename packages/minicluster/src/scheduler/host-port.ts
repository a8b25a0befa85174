import type { Pod } from '@liqo/kube';
import { isSidecar } from './pod-requests.ts';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const anyAddress = '0.0.0.0';

/** The ports of the node that the pod takes for as long as it runs. */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const lasting = [...containers, ...initContainers.filter(isSidecar)];
  const ports = lasting.flatMap((container) => container.ports ?? []);
  return ports
    .filter(({ hostPort }) => hostPort !== undefined && hostPort > 0)
    .map(({ hostIP, protocol, hostPort }) => ({
      ip: hostIP || anyAddress,
      protocol: protocol || 'TCP',
      port: hostPort ?? 0,
    }));
}

export function portsConflict(a: HostPort, b: HostPort): boolean {
  const sameAddress = a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress;
  return a.port === b.port && a.protocol === b.protocol && sameAddress;
}
