import { BlockList, isIP } from 'node:net';

/** Addresses that lead to nobody, to everybody on a link, or to whoever asks. */
function specialAddresses(): BlockList {
  const special = new BlockList();
  special.addAddress('0.0.0.0');
  special.addSubnet('127.0.0.0', 8);
  special.addSubnet('169.254.0.0', 16);
  special.addSubnet('224.0.0.0', 4);
  special.addAddress('255.255.255.255');
  special.addAddress('::', 'ipv6');
  special.addAddress('::1', 'ipv6');
  special.addSubnet('fe80::', 10, 'ipv6');
  special.addSubnet('ff00::', 8, 'ipv6');
  return special;
}

/** Whether an address can be that of one machine among others (RFC 1122, RFC 4291). */
export function isGlobalUnicast(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !specialAddresses().check(address, version === 6 ? 'ipv6' : 'ipv4');
}
