import 'reflect-metadata';
import { isIPv6 } from 'node:net';
import type { CertificateContent } from '@liqo/model';
import {
  type Attribute,
  type Extension,
  ExtensionsAttribute,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';

/**
 * Exactly one block and nothing around it: who signs reads the first one, and must not find another than the one that
 * was judged.
 */
const onlyBlock =
  /^\s*-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----\s*$/;

/** What a CertificateSigningRequest asks for; undefined when its `spec.request` cannot be read. */
export function parseSigningRequest(encoded: string): CertificateContent | undefined {
  const [, block] = onlyBlock.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? [];
  if (block === undefined) return undefined;
  try {
    return contentOf(new Pkcs10CertificateRequest(Buffer.from(block, 'base64')));
  } catch {
    // Whatever the library says of bytes that somebody made up, it comes to the same.
    return undefined;
  }
}

function contentOf({ subjectName, attributes }: Pkcs10CertificateRequest): CertificateContent {
  const [asked, ...repeated] = attributes.filter(asksForExtensions);
  const extensions = asked?.items ?? [];
  const names = extensions.filter(isNames).flatMap((extension) => extension.names.items);
  const unexpected = [
    ...extensions.filter((extension) => !isNames(extension)),
    ...attributes.filter((attribute) => !asksForExtensions(attribute)),
    ...repeated,
  ];
  return {
    subject: subjectName.toJSON().map(attributesOf),
    ipAddresses: names.filter(({ type }) => type === 'ip').map(({ value }) => canonical(value)),
    otherNames: names
      .filter(({ type }) => type !== 'ip')
      .map(({ type, value }) => `${type}:${value}`),
    extras: unexpected.map(({ type }) => type),
  };
}

function attributesOf(relative: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(relative).flatMap(([type, values]) =>
    values.map((value) => `${type}=${value}`),
  );
}

function isNames(extension: Extension): extension is SubjectAlternativeNameExtension {
  return extension instanceof SubjectAlternativeNameExtension;
}

function asksForExtensions(attribute: Attribute): attribute is ExtensionsAttribute {
  return attribute instanceof ExtensionsAttribute;
}

/** As Kubernetes writes addresses. */
function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
