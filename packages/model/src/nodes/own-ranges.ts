import { type IpRange, type Node, parseIpAddress, parseIpRange, type Service } from '@liqo/kube';

/** The addresses of a Node and the ranges of its pods. */
export function rangesOfNode({ spec, status }: Node): readonly IpRange[] {
  const pods = spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : []);
  const addresses = (status?.addresses ?? []).map(({ address }) => address);
  return [...pods.flatMap((text) => parseIpRange(text) ?? []), ...addresses.flatMap(rangeOfOne)];
}

/** The cluster IPs of a Service. */
export function rangesOfService({ spec }: Service): readonly IpRange[] {
  return [spec?.clusterIP ?? '', ...(spec?.clusterIPs ?? [])].flatMap(rangeOfOne);
}

/** Empty for a host name. */
function rangeOfOne(text: string): readonly IpRange[] {
  const base = parseIpAddress(text);
  return base ? [{ base, prefix: base.family === 4 ? 32 : 128 }] : [];
}
