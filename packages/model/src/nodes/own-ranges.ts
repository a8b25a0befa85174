import { type IpRange, type Node, parseIpRange, rangeOfAddress } from '@liqo/kube';

/** The addresses of a Node and the ranges of its pods. */
export function rangesOfNode(node: Node): readonly IpRange[] {
  const { podCIDR, podCIDRs = podCIDR ? [podCIDR] : [] } = node.spec ?? {};
  return [...podCIDRs.flatMap((text) => parseIpRange(text) ?? []), ...addressesOfNode(node)];
}

/** Its addresses, without host names. */
export function addressesOfNode({ status }: Node): readonly IpRange[] {
  return (status?.addresses ?? []).flatMap(({ address }) => rangeOfAddress(address) ?? []);
}
