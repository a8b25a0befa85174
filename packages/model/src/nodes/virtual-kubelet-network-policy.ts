import { labels, VirtualNode } from '@liqo/api';
import { apiVersionOf, type Deployment, type NetworkPolicy, type Stored } from '@liqo/kube';
import { flagName } from './flags.ts';

/**
 * Only the ports of a virtual kubelet can be connected to, by any caller: the address of the API server is not known, and the kubelet port
 * asks every caller who it is. What a virtual kubelet connects to is not restricted: its provider can have any address and port.
 * It goes with the VirtualNode, after the virtual kubelet.
 */
export function forgeVirtualKubeletPolicy(
  virtualNode: Stored<VirtualNode>,
  deployment: Deployment,
): NetworkPolicy {
  const { name, namespace, uid } = virtualNode.metadata;
  const { selector } = deployment.spec ?? {};
  const marks = selector?.matchLabels ?? {};
  const ports = portsOf(deployment).map((port) => ({ port, protocol: 'TCP' as const }));
  return {
    metadata: {
      name: deployment.metadata?.name ?? '',
      ...(namespace !== undefined && { namespace }),
      labels: { [labels.managed]: 'true', ...marks },
      ownerReferences: [
        { apiVersion: apiVersionOf(VirtualNode), kind: VirtualNode.kind, name, uid },
      ],
    },
    spec: { podSelector: { matchLabels: marks }, policyTypes: ['Ingress'], ingress: [{ ports }] },
  };
}

/** Those of its container, and those that its flags choose instead of the kubelet port. */
function portsOf({ spec }: Deployment): readonly number[] {
  const containers = spec?.template.spec?.containers ?? [];
  const declared = containers.flatMap(({ ports = [] }) => ports.map((one) => one.containerPort));
  const chosen = containers
    .flatMap(({ args = [] }) => args)
    .filter((arg) => flagName(arg) === '--listen-port')
    .flatMap((arg) => arg.match(/\d+/g) ?? [])
    .map(Number);
  const valid = [...declared, ...chosen].filter((port) => port > 0 && port < 65_536);
  return [...new Set(valid)].sort((one, other) => one - other);
}
