import { isIP, isIPv4 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { type Cidr, readCidr } from '../../resources/validation/addresses.ts';
import { celFault } from './cel-fault.ts';

class CelAddress {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

class CelCidr {
  readonly range: Cidr;

  constructor(range: Cidr) {
    this.range = range;
  }
}

const [address, network] = ['net.IP', 'net.CIDR'];

/** `ip()` and `cidr()`, without leading zeros, zones or IPv4-mapped IPv6 addresses. */
export function registerNetwork(environment: Environment): void {
  environment
    .registerType(address, { ctor: CelAddress })
    .registerType(network, { ctor: CelCidr })
    .registerOperator(`${address} == ${address}`, (a, b) => bitsOf(a.text) === bitsOf(b.text))
    .registerFunction('isIP(string): bool', isAddress)
    .registerFunction(`ip(string): ${address}`, readAddress)
    .registerFunction(`${address}.family(): int`, ({ text }) => (isIPv4(text) ? 4n : 6n))
    .registerFunction(`${address}.isLoopback(): bool`, ({ text }) => isLoopback(text))
    .registerFunction(`${address}.isUnspecified(): bool`, ({ text }) => !bitsOf(text).includes('1'))
    .registerFunction(`${address}.isLinkLocalUnicast(): bool`, ({ text }) =>
      isIn(text, linkLocalUnicast),
    )
    .registerFunction(`${address}.isLinkLocalMulticast(): bool`, ({ text }) =>
      isIn(text, linkLocalMulticast),
    )
    .registerFunction(`${address}.isGlobalUnicast(): bool`, ({ text }) => isGlobalUnicast(text))
    .registerFunction(`string(${address}): string`, ({ text }) => text);
  registerNetworks(environment);
}

function registerNetworks(environment: Environment): void {
  environment
    .registerFunction(
      'isCIDR(string): bool',
      (text) => isAddress(text.split('/')[0]) && !!readCidr(text),
    )
    .registerFunction(`cidr(string): ${network}`, readNetwork)
    .registerFunction(`${network}.prefixLength(): int`, ({ range }) => BigInt(range.prefix))
    .registerFunction(`${network}.ip(): ${address}`, ({ range }) => new CelAddress(range.address))
    .registerFunction(`${network}.containsIP(${address}): bool`, ({ range }, { text }) =>
      holds(range, text),
    )
    .registerFunction(`${network}.containsIP(string): bool`, ({ range }, text) =>
      holds(range, readAddress(text).text),
    )
    .registerFunction(`${network}.containsCIDR(${network}): bool`, (a, b) =>
      holdsAll(a.range, b.range),
    )
    .registerFunction(`${network}.containsCIDR(string): bool`, (a, text) =>
      holdsAll(a.range, readNetwork(text).range),
    );
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%') && !mappedIPv4.test(bitsOf(text));
}

/** `::ffff:0:0/96` */
const mappedIPv4 = /^0{80}1{16}.{32}$/;

function readAddress(text: string): CelAddress {
  if (isAddress(text)) return new CelAddress(text);
  throw celFault(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
}

function readNetwork(text: string): CelCidr {
  const range = readCidr(text);
  if (range) return new CelCidr(range);
  throw celFault(`network address parse error during conversion from string: ${text}`);
}

function isLoopback(text: string): boolean {
  return isIPv4(text) ? text.startsWith('127.') : /^0*1$/.test(bitsOf(text));
}

const linkLocalUnicast = ['169.254.0.0/16', 'fe80::/10'];
const linkLocalMulticast = ['224.0.0.0/24', 'ff02::/16'];
const notGlobal = ['0.0.0.0/32', '::/128', '224.0.0.0/4', 'ff00::/8', '255.255.255.255/32'];

function isIn(text: string, ranges: readonly string[]): boolean {
  return ranges.some((range) => holds(readNetwork(range).range, text));
}

function isGlobalUnicast(text: string): boolean {
  return !isLoopback(text) && !isIn(text, [...linkLocalUnicast, ...notGlobal]);
}

function holds(range: Cidr, text: string): boolean {
  const [network, inner] = [bitsOf(range.address), bitsOf(text)];
  if (network.length !== inner.length) return false;
  return network.slice(0, range.prefix) === inner.slice(0, range.prefix);
}

function holdsAll(outer: Cidr, inner: Cidr): boolean {
  return outer.prefix <= inner.prefix && holds(outer, inner.address);
}

/** An address in zeros and ones. */
function bitsOf(text: string): string {
  if (isIPv4(text))
    return text
      .split('.')
      .map((part) => bits(Number(part), 8))
      .join('');
  // The parser of URLs writes out embedded IPv4 addresses; the gap is filled here.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const [first, last] = [groups(head), groups(tail ?? '')];
  const gap = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...gap, ...last].map((group) => bits(Number.parseInt(group, 16), 16)).join('');
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function bits(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}
