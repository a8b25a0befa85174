/** A message that breaks off, or has what no message of Kubernetes has. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** A field as it is on the wire: a number, or the bytes of a string, of a message, or of anything longer. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const varint = 0;
const lengthDelimited = 2;

/** The fields of a message in the order they were sent in. */
export function* readWire(bytes: Uint8Array): Generator<WireField> {
  const cursor = new Cursor(bytes);
  while (!cursor.isAtEnd) {
    const tag = Number(cursor.readVarint());
    const [number, wireType] = [tag >>> 3, tag & 7];
    if (wireType === varint) yield { number, value: cursor.readVarint() };
    else if (wireType === lengthDelimited) yield { number, value: cursor.readBytes() };
    else throw new WireError(`Cannot read field ${number}: its wire type is ${wireType}`);
  }
}

class Cursor {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** Signed: to protobuf, a negative number is a very large one. */
  readVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#offset++];
      if (byte === undefined) throw new WireError('Cannot read number: the message breaks off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new WireError('Cannot read number: it has more than 64 bits');
  }

  readBytes(): Uint8Array {
    const length = Number(this.readVarint());
    const end = this.#offset + length;
    if (length < 0 || end > this.#bytes.length) {
      throw new WireError(`Cannot read ${length} bytes: the message breaks off`);
    }
    const bytes = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }
}
