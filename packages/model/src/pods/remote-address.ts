import { type IpRange, isInRange, parseIpAddress, parseIpRange } from '@liqo/kube';

/**
 * Ranges that no pod of a provider has: an address in one of them, in the status of a pod, would lead the consumer's
 * traffic to the consumer's own machines.
 */
const reservedRanges: readonly (readonly [IpRange, string])[] = (
  [
    ['0.0.0.0/8', 'unspecified'],
    ['127.0.0.0/8', 'loopback'],
    ['169.254.0.0/16', 'link-local'],
    ['224.0.0.0/4', 'multicast'],
    ['240.0.0.0/4', 'reserved'],
    // Metadata services of cloud providers outside of the link-local range.
    ['100.100.100.200/32', 'metadata'],
    ['168.63.129.16/32', 'metadata'],
    ['192.0.0.192/32', 'metadata'],
    ['fd00:ec2::254/128', 'metadata'],
    ['::/128', 'unspecified'],
    ['::1/128', 'loopback'],
    ['fe80::/10', 'link-local'],
    ['ff00::/8', 'multicast'],
  ] as const
).map(([text, name]) => [rangeOf(text), name]);

function rangeOf(text: string): IpRange {
  const range = parseIpRange(text);
  if (!range) throw new Error(`Cannot read the range "${text}"`);
  return range;
}

/**
 * Why an address that a provider reports for a pod is not taken over; undefined if it is. `ownRanges` are those of the
 * consumer: its pods, Services and nodes.
 */
export function refuseRemoteAddress(
  text: string,
  ownRanges: readonly IpRange[],
): string | undefined {
  const address = parseIpAddress(text);
  if (!address) return 'it is not an IP address';
  const reserved = reservedRanges.find(([range]) => isInRange(address, range));
  if (reserved) return `it is a ${reserved[1]} address`;
  if (ownRanges.some((range) => isInRange(address, range))) {
    return 'it is in a range of pods, Services or nodes of the consumer';
  }
  return undefined;
}
