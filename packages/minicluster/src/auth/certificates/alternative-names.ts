import { isIP, isIPv4 } from 'node:net';
import { childrenOf, contextTag, type Element, encode } from './der.ts';

/** The names and addresses that a certificate is also good for. */
export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  /** Four or sixteen bytes each. */
  readonly addresses: readonly Buffer[];
  readonly uris: readonly string[];
}

const email = contextTag(1, false);
const dnsName = contextTag(2, false);
const uri = contextTag(6, false);
const address = contextTag(7, false);

export const noAlternativeNames: AlternativeNames = {
  dns: [],
  emails: [],
  addresses: [],
  uris: [],
};

/** Host names and addresses, told apart by their looks. */
export function alternativeNamesOf(hosts: readonly string[]): AlternativeNames {
  return {
    ...noAlternativeNames,
    dns: hosts.filter((host) => !isIP(host)),
    addresses: hosts.filter((host) => isIP(host)).map(addressBytes),
  };
}

export function encodeAlternativeNames(names: AlternativeNames): Buffer[] {
  const encodeAs = (tag: number) => (name: string) => encode(tag, Buffer.from(name));
  return [
    ...names.dns.map(encodeAs(dnsName)),
    ...names.emails.map(encodeAs(email)),
    ...names.addresses.map((bytes) => encode(address, bytes)),
    ...names.uris.map(encodeAs(uri)),
  ];
}

export function decodeAlternativeNames(element: Element): AlternativeNames {
  const children = childrenOf(element);
  const contents = (tag: number) =>
    children.filter((child) => child.tag === tag).map(({ content }) => content);
  const texts = (tag: number) => contents(tag).map((content) => content.toString('latin1'));
  return {
    dns: texts(dnsName),
    emails: texts(email),
    addresses: contents(address),
    uris: texts(uri),
  };
}

function addressBytes(text: string): Buffer {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : 16 - before.length - after.length;
  return Buffer.from([...before, ...new Array<number>(zeros).fill(0), ...after]);
}

/** The bytes of the groups of an IPv6 address; the last may be written as an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
