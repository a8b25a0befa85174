import { type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { parseIpAddress } from '../ip-address.ts';
import { reservedUseOf } from '../reserved-address.ts';

/** Why a host is not connected to, if it is an address; a name has to be resolved first. */
export function refuseReservedHost(host: string): string | undefined {
  const address = parseIpAddress(host);
  const use = address && reservedUseOf(address);
  return use && `${host} is a ${use} address, which this kubeconfig is not trusted to use`;
}

/**
 * Resolves a name as Node does, and fails if any of its addresses is reserved: what is connected to is what was checked, so
 * a name that resolves to another address the next time changes nothing.
 */
export const lookupUnreserved: LookupFunction = (hostname, options, callback) => {
  const all: LookupAllOptions = { ...options, all: true };
  lookup(hostname, all, (error, addresses) => {
    if (error) return callback(error, '');
    const problem = addresses.map(({ address }) => refuseReservedHost(address)).find(Boolean);
    if (problem) return callback(new Error(`"${hostname}": ${problem}`), '');
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    return callback(null, first?.address ?? '', first?.family ?? isIP(first?.address ?? ''));
  });
};
