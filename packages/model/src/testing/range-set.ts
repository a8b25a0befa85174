import { type IpRange, IpRangeSet, parseIpRange } from '@liqo/kube';

export function rangeSet(...texts: readonly string[]): IpRangeSet {
  return new IpRangeSet(texts.map((text) => parseIpRange(text) as IpRange));
}
