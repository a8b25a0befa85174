import { type BaseBlock, Integer } from 'asn1js';
import { type AlternativeNames, readAlternativeNames } from './alternative-names.ts';
import {
  bitsOf,
  decodeDer,
  encodedBytes,
  objectIdentifierOf,
  octetsOf,
  sequenceOf,
  setOf,
  taggedOf,
} from './der.ts';
import { readName } from './distinguished-name.ts';
import { objectIdentifiers } from './object-identifiers.ts';
import { readOnlyBlock } from './pem.ts';
import { isSignedBy } from './signatures.ts';

/** What a PKCS #10 request asks for. */
export interface CertificateRequestContent extends AlternativeNames {
  /** The relative names of the subject, in order, each with its attributes as `CN=…`. */
  readonly subject: readonly (readonly string[])[];
  /** Whatever else is asked for: extensions and attributes, by their object identifiers. */
  readonly extras: readonly string[];
  /** The SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** Whether the request is signed with its own key. */
  readonly hasValidSignature: boolean;
}

/** Ten times what a request with a 4,096-bit RSA key needs. */
const longestRequest = 16_384;

/** Undefined for whatever is not exactly one readable request. Never throws. */
export function readCertificateRequest(pem: string): CertificateRequestContent | undefined {
  if (pem.length > longestRequest) return undefined;
  const der = readOnlyBlock('CERTIFICATE REQUEST', pem);
  if (!der) return undefined;
  try {
    return readRequest(decodeDer(der));
  } catch {
    // The bytes come from a peer: every way in which they cannot be read has the same answer.
    return undefined;
  }
}

function readRequest(block: BaseBlock): CertificateRequestContent {
  const [info, algorithm, signature] = exactly(3, sequenceOf(block));
  const [version, subject, publicKeyInfo, attributes] = exactly(4, sequenceOf(info));
  if (!(version instanceof Integer) || version.toBigInt() !== 0n)
    throw new Error('unknown version');
  const publicKey = encodedBytes(required(publicKeyInfo));
  const [identifier] = sequenceOf(algorithm);
  return {
    subject: readName(subject),
    ...readAttributes(taggedOf(attributes, 0)),
    publicKey,
    hasValidSignature: isSignedBy(
      publicKey,
      objectIdentifierOf(identifier),
      encodedBytes(required(info)),
      bitsOf(signature),
    ),
  };
}

interface Attribute {
  readonly type: string;
  readonly values: readonly BaseBlock[];
}

type Attributes = Pick<CertificateRequestContent, 'ipAddresses' | 'otherNames' | 'extras'>;

/** A repeated request for extensions is an extra: readers differ in which one they take. */
function readAttributes(blocks: readonly BaseBlock[]): Attributes {
  const attributes = blocks.map(readAttribute);
  const [asked, ...repeated] = attributes.filter(asksForExtensions);
  const extensions = asked ? readExtensions(asked) : [];
  const [names, ...moreNames] = extensions.filter(isNames);
  const others = extensions.filter((extension) => !isNames(extension));
  const otherAttributes = attributes.filter((attribute) => !asksForExtensions(attribute));
  return {
    ...(names ? readAlternativeNames(names.value) : { ipAddresses: [], otherNames: [] }),
    extras: [...others, ...moreNames, ...otherAttributes, ...repeated].map(({ type }) => type),
  };
}

function readAttribute(block: BaseBlock): Attribute {
  const [type, values] = exactly(2, sequenceOf(block));
  return { type: objectIdentifierOf(type), values: setOf(values) };
}

function asksForExtensions({ type }: Attribute): boolean {
  return type === objectIdentifiers.extensionRequest;
}

interface Extension {
  readonly type: string;
  readonly value: Uint8Array;
}

function readExtensions({ values }: Attribute): readonly Extension[] {
  const [extensions] = exactly(1, values);
  return sequenceOf(extensions).map((block) => {
    const parts = sequenceOf(block);
    if (parts.length < 2 || parts.length > 3) throw new Error('not an Extension');
    return { type: objectIdentifierOf(parts[0]), value: octetsOf(parts.at(-1)) };
  });
}

function isNames({ type }: Extension): boolean {
  return type === objectIdentifiers.subjectAltName;
}

function exactly(count: number, blocks: readonly BaseBlock[]): readonly BaseBlock[] {
  if (blocks.length !== count) throw new Error(`${blocks.length} elements instead of ${count}`);
  return blocks;
}

function required(block: BaseBlock | undefined): BaseBlock {
  if (!block) throw new Error('an element is missing');
  return block;
}
