import { ownMember } from '@liqo/kube';

const noNetwork =
  'Clusters reach each other by a network of their own; docs/guides/own-clusters.md says what has to be reachable';

/** The commands of Liqo v1.2 that do not exist here yet, and what to do instead. Aliases have entries of their own. */
export const commandsOfLiqo: Readonly<Record<string, string>> = {
  network: noNetwork,
  'create configuration': noNetwork,
  'create config': noNetwork,
  'create gatewayserver': noNetwork,
  'create server': noNetwork,
  'create gws': noNetwork,
  'create gatewayclient': noNetwork,
  'create client': noNetwork,
  'create gwc': noNetwork,
  'create publickey': noNetwork,
  'delete configuration': noNetwork,
  'delete gatewayserver': noNetwork,
  'delete gatewayclient': noNetwork,
  'delete publickey': noNetwork,
  'generate configuration': noNetwork,
  'generate publickey': noNetwork,
  move: 'Volumes stay where they are; docs/offloading/pod-fields.md says what becomes of those of an offloaded pod',
  'test network': noNetwork,
  'test net': noNetwork,
};

/** What to do instead of a command of Liqo that does not exist here; undefined if Liqo has no such command either. */
export function insteadOf(path: readonly string[], word: string): string | undefined {
  const line = [...path, word].join(' ');
  return ownMember(commandsOfLiqo, line);
}
