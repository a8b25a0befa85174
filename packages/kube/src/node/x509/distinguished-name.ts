import {
  type BaseBlock,
  IA5String,
  ObjectIdentifier,
  PrintableString,
  Sequence,
  Set as SetBlock,
  Utf8String,
} from 'asn1js';
import { contentBytes, encodedBytes, objectIdentifierOf, sequenceOf, setOf } from './der.ts';
import { attributeNames } from './object-identifiers.ts';

/** A subject as Kubernetes reads it: its user name and its group. */
export interface Subject {
  readonly commonName: string;
  readonly organization: string;
}

const organizationId = '2.5.4.10';
const commonNameId = '2.5.4.3';
const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** In the order and with the string types of Go. */
export function forgeName({ organization, commonName }: Subject): Sequence {
  return new Sequence({
    value: [
      forgeRelativeName(organizationId, organization),
      forgeRelativeName(commonNameId, commonName),
    ],
  });
}

function forgeRelativeName(type: string, value: string): SetBlock {
  const text = printable.test(value) ? new PrintableString({ value }) : new Utf8String({ value });
  const attribute = new Sequence({ value: [new ObjectIdentifier({ value: type }), text] });
  return new SetBlock({ value: [attribute] });
}

/** The relative names in order, each with its attributes as `CN=…`. */
export function readName(block: BaseBlock | undefined): readonly (readonly string[])[] {
  return sequenceOf(block).map((relative) => setOf(relative).map(readAttribute));
}

function readAttribute(block: BaseBlock): string {
  const [type, value] = sequenceOf(block);
  const identifier = objectIdentifierOf(type);
  return `${attributeNames.get(identifier) ?? identifier}=${readText(value)}`;
}

/** A value of another string type is shown as RFC 4514 shows it: `#` and its encoding in hexadecimal. */
function readText(block: BaseBlock | undefined): string {
  if (!block) throw new Error('an attribute without a value');
  const content = contentBytes(block);
  if (block instanceof Utf8String && !block.idBlock.isConstructed) {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  }
  const text = Buffer.from(content).toString('latin1');
  if (block instanceof PrintableString && printable.test(text)) return text;
  if (block instanceof IA5String && content.every((byte) => byte < 0x80)) return text;
  return `#${Buffer.from(encodedBytes(block)).toString('hex')}`;
}
