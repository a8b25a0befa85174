import { embeddedIpv4 } from './embedded-ipv4.ts';
import { type IpAddress, type IpRange, isInRange, parseIpRange } from './ip-address.ts';

/** Ranges in which no cluster has its API server or its pods: an address in one of them leads to the machine itself. */
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
    // Deprecated by RFC 4291: IPv4-compatible and site-local addresses.
    ['::/96', 'reserved'],
    ['fec0::/10', 'reserved'],
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
 * What an address is reserved for, such as `loopback`; undefined if it is an ordinary unicast address. One that leads to an
 * IPv4 address is reserved for what that is reserved for.
 */
export function reservedUseOf(address: IpAddress): string | undefined {
  const own = reservedRanges.find(([range]) => isInRange(address, range))?.[1];
  const embedded = embeddedIpv4(address);
  return own ?? (embedded && reservedUseOf(embedded));
}
