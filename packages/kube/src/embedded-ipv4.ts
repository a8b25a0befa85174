import { type IpAddress, type IpRange, isInRange, parseIpRange } from './ip-address.ts';

/** Ranges of IPv6 whose addresses lead to the IPv4 address inside of them, and how far that is from the right. */
const carriers: readonly (readonly [IpRange, bigint])[] = (
  [
    // IPv4-compatible addresses.
    ['::/96', 0n],
    // IPv4-translated addresses (SIIT).
    ['::ffff:0:0:0/96', 0n],
    // NAT64.
    ['64:ff9b::/96', 0n],
    // 6to4.
    ['2002::/16', 80n],
  ] as const
).map(([text, shift]) => [rangeOf(text), shift]);

function rangeOf(text: string): IpRange {
  const range = parseIpRange(text);
  if (!range) throw new Error(`Cannot read the range "${text}"`);
  return range;
}

/** The IPv4 address to which a gateway or tunnel takes packets for this IPv6 address; undefined if there is none. */
export function embeddedIpv4(address: IpAddress): IpAddress | undefined {
  const carrier = carriers.find(([range]) => isInRange(address, range));
  return carrier && { family: 4, value: (address.value >> carrier[1]) & 0xffff_ffffn };
}
