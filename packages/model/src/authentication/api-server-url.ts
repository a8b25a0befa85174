import type { Node } from '@liqo/kube';

/** By which control-plane nodes are known; older names last. */
export const controlPlaneLabels = [
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
  'node-role.kubernetes.io/controlplane',
] as const;

const addressTypes = ['ExternalDNS', 'ExternalIP', 'InternalDNS', 'InternalIP', 'Hostname'];
const defaultPort = 6443;

/**
 * Where consumers reach the API server: what the administrator says, or else a control-plane node. Of the nodes with the first
 * label that any node has, the best type of address counts. Undefined when there is nothing to go by.
 */
export function apiServerUrl(
  override: string,
  nodesByLabel: readonly (readonly Node[])[],
): string | undefined {
  if (override !== '') return /^https?:\/\//.test(override) ? override : `https://${override}`;
  const nodes = nodesByLabel.find(({ length }) => length > 0) ?? [];
  const addresses = nodes
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
    .flatMap(({ status }) => status?.addresses ?? []);
  const address = addressTypes
    .flatMap((wanted) => addresses.filter(({ type }) => type === wanted))
    .at(0)?.address;
  return address === undefined ? undefined : `https://${inUrl(address)}:${defaultPort}`;
}

function nameOf({ metadata }: Node): string {
  return metadata?.name ?? '';
}

/** An IPv6 address has colons. */
function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
