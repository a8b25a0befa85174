import { ownMember } from '@liqo/kube';

const introduce =
  'docs/guides/own-clusters.md shows how to introduce two clusters to each other with kubectl';
const install = 'docs/guides/own-clusters.md shows how to do it with helm';
const takeDown = 'docs/guides/virtual-nodes.md shows how to take down a virtual node';
const noNetwork =
  'Clusters reach each other by a network of their own; docs/guides/own-clusters.md says what has to be reachable';
const cordonNode =
  'Cordon and drain the virtual node at the consumer, with kubectl, as docs/guides/try-it.md does';

/** The commands of Liqo v1.2 that do not exist here yet, and what to do instead. Aliases have entries of their own. */
export const commandsOfLiqo: Readonly<Record<string, string>> = {
  install,
  uninstall: install,
  peer: introduce,
  unpeer: takeDown,
  force: 'docs/kinds/foreign-cluster.md shows how to give up a provider that is gone for good',
  authenticate: introduce,
  unauthenticate: takeDown,
  network: noNetwork,
  'create resourceslice':
    'docs/guides/virtual-nodes.md shows how to create a virtual node without a slice',
  'create rs': 'docs/guides/virtual-nodes.md shows how to create a virtual node without a slice',
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
  'delete peering-user': introduce,
  'get kubeconfig': introduce,
  'get kc': introduce,
  generate: introduce,
  move: 'Volumes stay where they are; docs/offloading/pod-fields.md says what becomes of those of an offloaded pod',
  cordon: cordonNode,
  uncordon: cordonNode,
  drain: cordonNode,
  activate: cordonNode,
  test: noNetwork,
};

/** What to do instead of a command of Liqo that does not exist here; undefined if Liqo has no such command either. */
export function insteadOf(path: readonly string[], word: string): string | undefined {
  const line = [...path, word].join(' ');
  return ownMember(commandsOfLiqo, line);
}
