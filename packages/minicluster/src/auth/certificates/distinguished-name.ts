import {
  childrenOf,
  DerError,
  decodeObjectIdentifier,
  type Element,
  expectTag,
  objectIdentifier,
  sequence,
  setOf,
  tags,
  text,
} from './der.ts';

/** The subject of a certificate, or its issuer: values by the object identifier of their attribute. */
export type DistinguishedName = ReadonlyMap<string, readonly string[]>;

const commonName = '2.5.4.3';
const organization = '2.5.4.10';

/** Which attributes are written, and in which order. */
const writtenAttributes: readonly string[] = [
  '2.5.4.6', // country
  organization,
  '2.5.4.11', // organizational unit
  '2.5.4.7', // locality
  '2.5.4.8', // province
  '2.5.4.9', // street address
  '2.5.4.17', // postal code
  commonName,
  '2.5.4.5', // serial number
];

export function nameOf(common: string, organizations: readonly string[] = []): DistinguishedName {
  return new Map([
    [commonName, [common]],
    ...(organizations.length > 0 ? [[organization, organizations] as const] : []),
  ]);
}

/** Kubernetes' user name: of several the last one counts. */
export function commonNameOf(name: DistinguishedName): string {
  return name.get(commonName)?.at(-1) ?? '';
}

/** Kubernetes' groups. */
export function organizationsOf(name: DistinguishedName): readonly string[] {
  return name.get(organization) ?? [];
}

/** All values of an attribute are one component, in the order of their bytes: that is how Go signs requests. */
export function encodeName(name: DistinguishedName): Buffer {
  const components = writtenAttributes.flatMap((attribute) => {
    const values = name.get(attribute) ?? [];
    const encoded = values.map((value) => sequence(objectIdentifier(attribute), text(value)));
    return encoded.length > 0 ? [setOf(...encoded)] : [];
  });
  return sequence(...components);
}

export function decodeName(element: Element | undefined): DistinguishedName {
  const name = new Map<string, string[]>();
  for (const component of childrenOf(expectTag(element, tags.sequence))) {
    for (const pair of childrenOf(expectTag(component, tags.set))) {
      const [attribute, value] = childrenOf(expectTag(pair, tags.sequence));
      const key = decodeObjectIdentifier(attribute);
      name.set(key, [...(name.get(key) ?? []), decodeText(value)]);
    }
  }
  return name;
}

function decodeText(element: Element | undefined): string {
  if (!element) throw new DerError('asn1: structure error: attribute without a value');
  return element.content.toString('utf8');
}
