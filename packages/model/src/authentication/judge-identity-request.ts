import type { CertificateContent } from '../certificates/judge-serving-request.ts';
import type { IdentitySubject } from './subjects.ts';

/** A request for a client certificate, as it was read. */
export interface IdentityRequestFacts {
  /** Undefined when the text is not exactly one request that can be read. */
  readonly content: (CertificateContent & { readonly hasValidSignature: boolean }) | undefined;
  /** Whether its key is the one that the consumer has proved to hold. */
  readonly hasExpectedKey: boolean;
}

/**
 * Why a request must not be signed; undefined if it may. The signer copies the subject into the certificate, where the user
 * and all groups of its holder are read from: the request has the expected subject and nothing else.
 */
export function judgeIdentityRequest(
  { content, hasExpectedKey }: IdentityRequestFacts,
  subject: IdentitySubject,
): string | undefined {
  if (!content) return 'the certificate request cannot be read as exactly one PEM block';
  if (!content.hasValidSignature) return 'the certificate request is not signed with its own key';
  if (!isSubject(content.subject, subject)) {
    const { commonName, organization } = subject;
    return `the subject is "${printSubject(content.subject)}", and must be "O=${organization},CN=${commonName}"`;
  }
  const names = [...content.ipAddresses, ...content.otherNames];
  if (names.length > 0) return `alternative names are not allowed: ${names.join()}`;
  if (content.extras.length > 0) {
    return `extensions and attributes are not allowed: ${content.extras.join()}`;
  }
  return hasExpectedKey
    ? undefined
    : 'the key of the certificate request is not that of the Tenant';
}

/** One common name and one organization, each a relative name of its own, in any order. */
export function isSubject(
  names: readonly (readonly string[])[],
  { commonName, organization }: IdentitySubject,
): boolean {
  const attributes = names.map((attributes) => (attributes.length === 1 ? attributes[0] : ''));
  return (
    attributes.length === 2 &&
    attributes.includes(`CN=${commonName}`) &&
    attributes.includes(`O=${organization}`)
  );
}

function printSubject(names: readonly (readonly string[])[]): string {
  return names.map((attributes) => attributes.join('+')).join(',');
}
