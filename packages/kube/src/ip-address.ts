/** An IP address as a number. IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) are read as the IPv4 address they stand for. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A range of addresses: those whose first `prefix` bits are those of `base`. */
export interface IpRange {
  readonly base: IpAddress;
  readonly prefix: number;
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const group = /^[0-9a-f]{1,4}$/i;
const mappedPrefix = 0xffffn;

/** Undefined unless the text is an address in the canonical dotted form, or in any form of RFC 4291 without a zone. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (ipv4.test(text)) return { family: 4, value: joined(text.split('.').map(Number), 8n) };
  const value = parseIpv6(text);
  if (value === undefined) return undefined;
  const isMapped = value >> 32n === mappedPrefix;
  return isMapped ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value };
}

/** The canonical form: dotted, or as RFC 5952 has it. */
export function formatIpAddress({ family, value }: IpAddress): string {
  const [bits, count] = family === 4 ? [8n, 4] : [16n, 8];
  const parts = Array.from({ length: count }, (_, nth) =>
    Number((value >> (bits * BigInt(count - 1 - nth))) & ((1n << bits) - 1n)),
  );
  return family === 4 ? parts.join('.') : formatGroups(parts);
}

/** Undefined unless the text is an address, a slash and the number of its leading bits. */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = '', bits = '', ...more] = text.split('/');
  const base = parseIpAddress(address);
  if (!base || more.length > 0 || !/^\d{1,3}$/.test(bits)) return undefined;
  const prefix = Number(bits);
  return prefix <= widthOf(base) ? { base, prefix } : undefined;
}

/** The range of this address alone; undefined if the text is none. */
export function rangeOfAddress(text: string): IpRange | undefined {
  const base = parseIpAddress(text);
  return base && { base, prefix: widthOf(base) };
}

export function isInRange(address: IpAddress, { base, prefix }: IpRange): boolean {
  if (address.family !== base.family) return false;
  const shift = BigInt(widthOf(base) - prefix);
  return address.value >> shift === base.value >> shift;
}

function widthOf({ family }: IpAddress): 32 | 128 {
  return family === 4 ? 32 : 128;
}

function parseIpv6(text: string): bigint | undefined {
  const halves = withHexEnding(text).split('::');
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (!head || halves.length > 2) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])];
  if (!groups.every((one) => group.test(one))) return undefined;
  return joined(
    groups.map((one) => Number.parseInt(one, 16)),
    16n,
  );
}

/** The first of the longest runs of at least two zeros is left out. */
function formatGroups(groups: readonly number[]): string {
  const runs = groups.map((_, start) => {
    const end = groups.findIndex((group, nth) => nth >= start && group !== 0);
    return (end < 0 ? groups.length : end) - start;
  });
  const longest = Math.max(...runs);
  const hex = (part: readonly number[]) => part.map((one) => one.toString(16)).join(':');
  if (longest < 2) return hex(groups);
  const start = runs.indexOf(longest);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + longest))}`;
}

/** The last two groups may be written as an IPv4 address. */
function withHexEnding(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const ending = text.slice(start);
  if (start === 0 || !ipv4.test(ending)) return text;
  const [a = 0, b = 0, c = 0, d = 0] = ending.split('.').map(Number);
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}
