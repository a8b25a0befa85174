import {
  type BaseBlock,
  BitString,
  Constructed,
  fromBER,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as SetBlock,
} from 'asn1js';

/** The bytes are not DER, or not of the form expected. */
class DerError extends Error {
  override readonly name = 'DerError';
}

/** asn1js reads BER with these limits; what is read here is a few levels deep. */
const limits = { maxDepth: 16, maxNodes: 1_000, parseEmbedded: false, copyInput: true };

/**
 * The one element that the bytes are. asn1js accepts BER: other forms of a length or a tag are refused here, because Go,
 * which signs what is judged, accepts DER only.
 */
export function decodeDer(bytes: Uint8Array): BaseBlock {
  const { offset, result } = fromBER(bytes, limits);
  if (offset !== bytes.length) throw new DerError('trailing data, or no ASN.1');
  requireDer(result);
  return result;
}

/** Tag and length included. */
export function encodedBytes(block: BaseBlock): Uint8Array {
  return block.valueBeforeDecodeView;
}

export function contentBytes(block: BaseBlock): Uint8Array {
  return encodedBytes(block).subarray(headerLength(block));
}

/** The elements of a SEQUENCE. */
export function sequenceOf(block: BaseBlock | undefined): readonly BaseBlock[] {
  if (!(block instanceof Sequence)) throw new DerError('not a SEQUENCE');
  return block.valueBlock.value;
}

/** The elements of a SET. */
export function setOf(block: BaseBlock | undefined): readonly BaseBlock[] {
  if (!(block instanceof SetBlock)) throw new DerError('not a SET');
  return block.valueBlock.value;
}

/** The elements of a constructed field `[number]`. */
export function taggedOf(block: BaseBlock | undefined, number: number): readonly BaseBlock[] {
  if (!(block instanceof Constructed) || contextTagOf(block) !== number) {
    throw new DerError(`not a constructed [${number}]`);
  }
  return block.valueBlock.value;
}

/** The number of a context-specific tag. */
export function contextTagOf({ idBlock }: BaseBlock): number | undefined {
  return idBlock.tagClass === contextSpecific ? idBlock.tagNumber : undefined;
}

export function objectIdentifierOf(block: BaseBlock | undefined): string {
  if (!(block instanceof ObjectIdentifier)) throw new DerError('not an OBJECT IDENTIFIER');
  return block.getValue();
}

export function octetsOf(block: BaseBlock | undefined): Uint8Array {
  if (!(block instanceof OctetString) || block.idBlock.isConstructed) {
    throw new DerError('not an OCTET STRING');
  }
  return contentBytes(block);
}

/** The bytes of a BIT STRING without unused bits, such as a signature. */
export function bitsOf(block: BaseBlock | undefined): Uint8Array {
  if (!(block instanceof BitString) || block.idBlock.isConstructed) {
    throw new DerError('not a BIT STRING');
  }
  const [unusedBits, ...bytes] = contentBytes(block);
  if (unusedBits !== 0) throw new DerError('a BIT STRING with unused bits');
  return Uint8Array.from(bytes);
}

export const contextSpecific = 3;

function requireDer(block: BaseBlock): void {
  const { lenBlock, idBlock } = block;
  const length = headerLength(block) + lenBlock.length;
  if (lenBlock.isIndefiniteForm || idBlock.tagNumber > 30 || block.error !== '') {
    throw new DerError('not DER');
  }
  if (length !== encodedBytes(block).length) throw new DerError('not DER: a length is not minimal');
  const { value } = block.valueBlock as { readonly value?: unknown };
  const isParent = idBlock.isConstructed && Array.isArray(value);
  if (isParent) for (const child of value as readonly BaseBlock[]) requireDer(child);
}

/** Of the tag and the length in their only DER form. */
function headerLength({ lenBlock }: BaseBlock): number {
  let lengthBytes = 1;
  if (lenBlock.length > 0x7f) {
    for (let rest = lenBlock.length; rest > 0; rest = Math.floor(rest / 256)) lengthBytes++;
  }
  return 1 + lengthBytes;
}
