/**
 * As much of DER (X.690) as certificates are made of. Written out here because a cluster makes its certificates while
 * it starts: the usual libraries take longer to load than the whole cluster may take to start.
 */

/** One value with its tag. */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag and length included. */
  readonly encoded: Buffer;
}

/** The bytes are not DER, or not of the form expected. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Of a tagged field: `[0]`, `[1]` …; constructed when it wraps a whole element. */
export function contextTag(number: number, constructed: boolean): number {
  return (constructed ? 0xa0 : 0x80) | number;
}

export function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), encodeLength(content.length), content]);
}

export function sequence(...elements: readonly Uint8Array[]): Buffer {
  return encode(tags.sequence, ...elements);
}

/** The elements of a set are in the order of their bytes. */
export function setOf(...elements: readonly Buffer[]): Buffer {
  return encode(tags.set, ...elements.toSorted(Buffer.compare));
}

export function boolean(value: boolean): Buffer {
  return encode(tags.boolean, Buffer.of(value ? 0xff : 0));
}

/** A positive number, big end first. */
export function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.of(0) : bytes.subarray(start);
  const isNegative = (digits[0] ?? 0) >= 0x80;
  return encode(tags.integer, Buffer.of(...(isNegative ? [0] : [])), digits);
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encode(tags.bitString, Buffer.of(unusedBits), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return encode(tags.octetString, bytes);
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** Text in the narrower of two types, as Go chooses. */
export function text(value: string): Buffer {
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
  return encode(isPrintable ? tags.printableString : tags.utf8String, Buffer.from(value));
}

/** To the second. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\..*$/g, '');
  const isShort = digits >= '1950' && digits < '2050';
  const value = `${isShort ? digits.slice(2) : digits}Z`;
  return encode(isShort ? tags.utcTime : tags.generalizedTime, Buffer.from(value));
}

/** The one element that the bytes are. */
export function decode(bytes: Buffer): Element {
  const element = readElement(bytes, 0);
  if (element.encoded.length !== bytes.length)
    throw new DerError('asn1: syntax error: trailing data');
  return element;
}

/** The elements inside a sequence, a set or a tagged field. */
export function childrenOf({ content }: Element): Element[] {
  const children: Element[] = [];
  for (let offset = 0; offset < content.length; ) {
    const child = readElement(content, offset);
    children.push(child);
    offset += child.encoded.length;
  }
  return children;
}

/** The element itself, if it has the tag; refuses it, or its absence, otherwise. */
export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag === tag) return element;
  throw new DerError("asn1: structure error: tags don't match");
}

export function decodeObjectIdentifier(element: Element | undefined): string {
  const { content } = expectTag(element, tags.oid);
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  const [joined = 0, ...rest] = numbers;
  const first = Math.min(2, Math.floor(joined / 40));
  return [first, joined - first * 40, ...rest].join('.');
}

/** The bytes of a bit string that has no loose bits, such as a key or a signature. */
export function decodeBitString(element: Element | undefined): Buffer {
  const { content } = expectTag(element, tags.bitString);
  if (content[0] !== 0)
    throw new DerError('asn1: syntax error: invalid padding bits in BIT STRING');
  return content.subarray(1);
}

function readElement(bytes: Buffer, offset: number): Element {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw truncated();
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = offset + 2 + lengthBytes;
  if (lengthBytes > 4 || start > bytes.length) throw truncated();
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
  if (start + length > bytes.length) throw truncated();
  const content = bytes.subarray(start, start + length);
  return { tag, content, encoded: bytes.subarray(offset, start + length) };
}

function truncated(): DerError {
  return new DerError('asn1: syntax error: data truncated');
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(0x80 | digits.length), digits]);
}

/** Seven bits a byte; all but the last have the eighth set. */
function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift((rest % 128) | 0x80);
  }
  return digits;
}
