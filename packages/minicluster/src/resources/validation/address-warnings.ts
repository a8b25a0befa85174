import { isIPv4, isIPv6 } from 'node:net';
import { canonicalForm, readCidr, withoutLeadingZeros } from './addresses.ts';

/**
 * What is told of addresses in fields that are older than the strict rules: they are accepted, but not written as they
 * should be. Of what is no address at all nothing is told.
 */
export function addressWarnings(field: string, value: string): string[] {
  const plain = withoutLeadingZeros(value);
  if (!isIPv4(plain) && !isIPv6(plain)) return [];
  const preferred = unmapped(canonicalForm(plain));
  if (preferred === value) return [];
  return [
    isIPv4(preferred)
      ? `${field}: non-standard IP address "${value}" will be considered invalid in a future Kubernetes release: use "${preferred}"`
      : `${field}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${preferred}")`,
  ];
}

/** The same of ranges, and of those that name an address inside of what they cover. */
export function cidrWarnings(field: string, value: string): string[] {
  const range = readCidr(value);
  if (!range) return [];
  const { address, prefix } = range;
  const size = range.family === 'ipv4' ? 32 : 128;
  const first = firstOf(address, size, prefix);
  const network = unmappedRange(first, prefix);
  const own = unmapped(canonicalForm(address));
  const isAmbiguous = unmapped(first) !== own;
  const canonical = `${own}/${prefix}`;
  const isNonStandard = (isIPv4(own) && value !== canonical) || /\/0\d/.test(value);
  return [
    ...(isAmbiguous
      ? [
          `${field}: CIDR value "${value}" is ambiguous in this context (should be "${network}" or "${own}/${size}"?)`,
        ]
      : []),
    ...(isNonStandard
      ? [
          `${field}: non-standard CIDR value "${value}" will be considered invalid in a future Kubernetes release: use "${network}"`,
        ]
      : []),
    ...(!isAmbiguous && !isNonStandard && canonical !== value
      ? [
          `${field}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`,
        ]
      : []),
  ];
}

/** The IPv4 address that an IPv6 address in canonical form stands for, if it is of that kind. */
function unmapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].map((group) => Number.parseInt(group, 16));
  return bytes.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

const mappedBits = 96;

function unmappedRange(first: string, prefix: number): string {
  const address = unmapped(first);
  return `${address}/${address === first ? prefix : prefix - mappedBits}`;
}

/** The address with nothing but zeros behind the prefix. */
function firstOf(address: string, size: number, prefix: number): string {
  const rest = BigInt(size - prefix);
  const bits = (toBits(address) >> rest) << rest;
  return size === 32 ? toIpv4(bits) : toIpv6(bits);
}

function toBits(address: string): bigint {
  if (isIPv4(address)) return joinBits(address.split('.').map(Number), 8n);
  const [head = '', tail = ''] = canonicalForm(address).split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return joinBits([...before, ...zeros, ...after], 16n);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function joinBits(groups: readonly number[], width: bigint): bigint {
  return groups.reduce((bits, group) => (bits << width) | BigInt(group), 0n);
}

function toIpv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

function toIpv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => (bits >> BigInt(16 * (7 - i))) & 0xffffn);
  return canonicalForm(groups.map((group) => group.toString(16)).join(':'));
}
