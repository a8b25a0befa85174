import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { type FieldProblem, invalid } from './field-problem.ts';

const addressFault = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const cidrFault = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/**
 * As fields that are older than the strict rules take them: leading zeros in an IPv4 address pass. `known` are values
 * that were there before, and may stay whatever they are.
 */
export function ipAddress(
  field: string,
  value: string,
  known: readonly (string | undefined)[] = [],
): FieldProblem[] {
  if (known.includes(value) || isIP(withoutLeadingZeros(value)) !== 0) return [];
  return [invalid(field, value, addressFault)];
}

/** As newer fields want it: in the one form that RFC 5952 recommends. */
export function canonicalIpv6(field: string, value: string): FieldProblem[] {
  if (isIP(value) === 0) return [invalid(field, value, addressFault)];
  const canonical = isIPv6(value) ? canonicalForm(value) : value;
  if (canonical === value) return [];
  return [invalid(field, value, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

export function isIpv4(value: string): boolean {
  return isIPv4(withoutLeadingZeros(value));
}

export function isIpAddress(value: string): boolean {
  return isIP(withoutLeadingZeros(value)) !== 0;
}

export function cidr(field: string, value: string, known: readonly string[] = []): FieldProblem[] {
  return known.includes(value) || readCidr(value) ? [] : [invalid(field, value, cidrFault)];
}

export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

export function readCidr(value: string): Cidr | undefined {
  const [address = '', prefixText = '', ...more] = value.split('/');
  const family = isIP(withoutLeadingZeros(address));
  const prefix = Number(prefixText);
  if (more.length > 0 || family === 0 || !/^[0-9]+$/.test(prefixText)) return undefined;
  if (prefix > (family === 4 ? 32 : 128)) return undefined;
  const plain = withoutLeadingZeros(address);
  return { address: plain, prefix, family: family === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether all addresses of `inner` are in `outer`, and `outer` has more. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.family !== outer.family || outer.prefix >= inner.prefix) return false;
  const range = new BlockList();
  range.addSubnet(outer.address, outer.prefix, outer.family);
  return range.check(inner.address, inner.family);
}

/** One address of each family, at most. */
export function isDualStackPair(addresses: readonly string[]): boolean {
  const families = new Set(addresses.map((address) => isIpv4(address.split('/')[0] ?? '')));
  return addresses.length === 2 && families.size === 2;
}

const unwanted: readonly [string, readonly string[]][] = [
  ['may not be in the loopback range (127.0.0.0/8, ::1/128)', ['127.0.0.0/8', '::1/128']],
  [
    'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ['169.254.0.0/16', 'fe80::/10'],
  ],
  [
    'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    ['224.0.0.0/24', 'ff02::/16'],
  ],
];

/** An address that traffic can be sent to: not one that means something else on every machine. */
export function endpointAddress(field: string, value: string): FieldProblem[] {
  if (!isIpAddress(value)) return [invalid(field, value, 'must be a valid IP address')];
  const address = withoutLeadingZeros(value);
  if (address === '0.0.0.0' || canonicalForm(address) === '::') {
    return [invalid(field, value, `may not be unspecified (${value})`)];
  }
  return unwanted
    .filter(([, ranges]) => ranges.some((range) => contains(range, address)))
    .map(([fault]) => invalid(field, value, fault));
}

function contains(range: string, address: string): boolean {
  const outer = readCidr(range);
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (!outer || outer.family !== family) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.prefix, outer.family);
  return list.check(address, family);
}

/** The parser of URLs writes IPv6 addresses as RFC 5952 wants them. */
export function canonicalForm(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

export function withoutLeadingZeros(value: string): string {
  return /^[0-9.]+$/.test(value) ? value.replaceAll(/(^|\.)0+(?=[0-9])/g, '$1') : value;
}
