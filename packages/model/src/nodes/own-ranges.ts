import { type IpRange, type Node, parseIpRange, rangeOfAddress, type Stored } from '@liqo/kube';

/** The addresses of a Node and the ranges of its pods. */
export function rangesOfNode(node: Node): readonly IpRange[] {
  const { podCIDR, podCIDRs = podCIDR ? [podCIDR] : [] } = node.spec ?? {};
  return [...podCIDRs.flatMap((text) => parseIpRange(text) ?? []), ...addressesOfNode(node)];
}

/** Its addresses, without host names. */
export function addressesOfNode({ status }: Node): readonly IpRange[] {
  return (status?.addresses ?? []).flatMap(({ address }) => rangeOfAddress(address) ?? []);
}

/** Of a Node of many kilobytes, its addresses. */
export function withAddressesOnly({
  apiVersion,
  kind,
  metadata,
  spec,
  status,
}: Stored<Node>): Stored<Node> {
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  const { podCIDR, podCIDRs } = spec ?? {};
  const { addresses } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, creationTimestamp },
    spec: { ...(podCIDR && { podCIDR }), ...(podCIDRs && { podCIDRs }) },
    status: { ...(addresses && { addresses }) },
  };
}
