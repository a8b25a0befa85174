import { isIP, isIPv6 } from 'node:net';
import { type BaseBlock, OctetString, Primitive, Sequence } from 'asn1js';
import {
  contentBytes,
  contextSpecific,
  contextTagOf,
  decodeDer,
  encodedBytes,
  sequenceOf,
} from './der.ts';

export interface AlternativeNames {
  /** As Kubernetes writes addresses. */
  readonly ipAddresses: readonly string[];
  /** Every other name, with its type: `dns:example.org`. */
  readonly otherNames: readonly string[];
}

/** What a server is reached by. */
export interface ServerNames {
  readonly addresses?: readonly string[];
  readonly dnsNames?: readonly string[];
}

const dnsTag = 2;
const addressTag = 7;
/** Of the names that are text. */
const textTags: ReadonlyMap<number | undefined, string> = new Map([
  [1, 'email'],
  [dnsTag, 'dns'],
  [6, 'url'],
]);

/** The value of the extension subjectAltName. */
export function forgeAlternativeNames({ addresses = [], dnsNames = [] }: ServerNames): OctetString {
  const value = [
    ...dnsNames.map((name) => forgeAlternativeName(dnsTag, Buffer.from(name, 'latin1'))),
    ...addresses.map((address) => forgeAlternativeName(addressTag, encodeAddress(address))),
  ];
  return new OctetString({ valueHex: new Sequence({ value }).toBER() });
}

function forgeAlternativeName(tagNumber: number, valueHex: Uint8Array): Primitive {
  return new Primitive({ idBlock: { tagClass: contextSpecific, tagNumber }, valueHex });
}

export function readAlternativeNames(extensionValue: Uint8Array): AlternativeNames {
  const names = sequenceOf(decodeDer(extensionValue));
  const isAddress = (name: BaseBlock) => contextTagOf(name) === addressTag && isAddressLong(name);
  return {
    ipAddresses: names.filter(isAddress).map((name) => decodeAddress(contentBytes(name))),
    otherNames: names.filter((name) => !isAddress(name)).map(readOtherName),
  };
}

function isAddressLong(name: BaseBlock): boolean {
  return !name.idBlock.isConstructed && [4, 16].includes(contentBytes(name).length);
}

function readOtherName(name: BaseBlock): string {
  const type = name.idBlock.isConstructed ? undefined : textTags.get(contextTagOf(name));
  if (type !== undefined) return `${type}:${Buffer.from(contentBytes(name)).toString('latin1')}`;
  return `other:#${Buffer.from(encodedBytes(name)).toString('hex')}`;
}

function encodeAddress(address: string): Uint8Array {
  if (isIP(address) === 0) throw new Error(`"${address}" is no IP address`);
  if (!isIPv6(address)) return Uint8Array.from(address.split('.').map(Number));
  const groups = expandGroups(canonical(address));
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function decodeAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, nth) =>
    (((bytes[2 * nth] ?? 0) << 8) | (bytes[2 * nth + 1] ?? 0)).toString(16),
  );
  return canonical(groups.join(':'));
}

/** The shortest form; a URL also turns a dotted tail into groups. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function expandGroups(address: string): readonly number[] {
  const [before = '', after] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const head = [...before].map((group) => Number.parseInt(group, 16));
  const tail = [...(after ?? [])].map((group) => Number.parseInt(group, 16));
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
