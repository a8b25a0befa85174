import { checkDnsLabel, oneLine, parseIpAddress, reservedUseOf } from '@liqo/kube';
import type { AuthParams } from './forge-identity.ts';
import type { IdentitySubject } from './subjects.ts';

/** What a client certificate says, and whether it is about the key of this cluster. */
export interface ClientCertificate {
  /** One entry for each relative name: `CN=rome`. */
  readonly subject: readonly string[];
  readonly isOfOurKey: boolean;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** What came from a provider, as far as it could be read. */
export interface CredentialFacts {
  readonly params: AuthParams | undefined;
  /** Undefined if it is not exactly one or more PEM certificates. */
  readonly certificate: ClientCertificate | undefined;
  /** Whether all certificates of the bundle can be read. */
  readonly isAuthorityReadable: boolean;
}

export interface CredentialRules {
  readonly subject: IdentitySubject;
  /** Loopback, link-local, metadata and the like: for clusters on one machine. */
  readonly reservedAddresses: 'allowed' | 'forbidden';
}

type CredentialReason =
  | 'AuthParamsMissing'
  | 'AuthParamsTooLarge'
  | 'AwsNotSupported'
  | 'InvalidApiServer'
  | 'InvalidAuthority'
  | 'InvalidCertificate'
  | 'InvalidProxy'
  | 'OtherKey'
  | 'OtherSubject';

export interface CredentialProblem<Reason extends string = CredentialReason> {
  readonly reason: Reason;
  readonly message: string;
}

/** In characters. A kubeconfig of all of them is small enough to be used. */
export const longestParams = { ca: 64 * 1024, signedCRT: 16 * 1024, url: 2048 } as const;

/**
 * Why credentials that a provider gave are not used; undefined if they may be. The provider is not trusted: it chooses where
 * this cluster connects to, and what it proves there. When they expire is another question.
 */
export function judgeAuthParams(
  facts: CredentialFacts,
  rules: CredentialRules,
): CredentialProblem | undefined {
  const { params } = facts;
  if (!params?.apiServer && !params?.signedCRT && !params?.awsConfig) {
    return problem('AuthParamsMissing', 'The provider has given no credentials yet');
  }
  return (
    refuseSizes(params) ??
    refuseAws(params) ??
    refuseServer(params, rules) ??
    refuseProxy(params, rules) ??
    refuseAuthority(facts) ??
    refuseCertificate(facts.certificate, rules.subject)
  );
}

/** Why the tenant namespace at the provider that an Identity names is not used. */
export function refuseRemoteNamespace(namespace: string | undefined) {
  if (!namespace) {
    return problem(
      'NoRemoteNamespace',
      'spec.namespace, the tenant namespace at the provider, is missing',
    );
  }
  const [fault] = checkDnsLabel(namespace);
  return fault === undefined ? undefined : problem('NoRemoteNamespace', `spec.namespace ${fault}`);
}

function problem<Reason extends string>(
  reason: Reason,
  message: string,
): CredentialProblem<Reason> {
  return { reason, message: oneLine(message) };
}

function refuseSizes(params: AuthParams): CredentialProblem | undefined {
  const sizes = [
    ['ca', params.ca, longestParams.ca],
    ['signedCRT', params.signedCRT, longestParams.signedCRT],
    ['apiServer', params.apiServer, longestParams.url],
    ['proxyURL', params.proxyURL, longestParams.url],
  ] as const;
  const found = sizes.find(([, value = '', most]) => value.length > most);
  return found && problem('AuthParamsTooLarge', `${found[0]} has more than ${found[2]} characters`);
}

function refuseAws({ awsConfig }: AuthParams): CredentialProblem | undefined {
  const message =
    'awsConfig is set: identities of AWS IAM are not supported; the provider has to issue a client certificate';
  return awsConfig && problem('AwsNotSupported', message);
}

function refuseServer(params: AuthParams, rules: CredentialRules): CredentialProblem | undefined {
  const server = params.apiServer;
  const refuse = (why: string) => problem('InvalidApiServer', `apiServer ${why}`);
  if (!server) return refuse('is missing');
  const url = readUrl(server);
  if (!url) return refuse('is not a URL');
  if (url.protocol !== 'https:') return refuse('is not an https URL');
  if (url.username || url.password) return refuse('holds a user name or password');
  const use = reservedUse(url, rules);
  return use ? refuse(`leads to a ${use} address`) : undefined;
}

/** Its text may hold a password, so no message quotes it. */
function refuseProxy(params: AuthParams, rules: CredentialRules): CredentialProblem | undefined {
  if (!params.proxyURL) return undefined;
  const refuse = (why: string) => problem('InvalidProxy', `proxyURL ${why}`);
  const url = readUrl(params.proxyURL);
  if (!url) return refuse('is not a URL');
  if (!['http:', 'https:'].includes(url.protocol)) return refuse('is not an http or https URL');
  const use = reservedUse(url, rules);
  return use ? refuse(`leads to a ${use} address`) : undefined;
}

/** A URL of printable ASCII; undefined for any other text. */
function readUrl(text: string): URL | undefined {
  return /^[!-~]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/** What the host is reserved for, if it is an address. A name is checked when it is resolved. */
function reservedUse(url: URL, { reservedAddresses }: CredentialRules): string | undefined {
  if (reservedAddresses === 'allowed') return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const address = parseIpAddress(host);
  return address && reservedUseOf(address);
}

function refuseAuthority(facts: CredentialFacts): CredentialProblem | undefined {
  if (!facts.params?.ca || facts.isAuthorityReadable) return undefined;
  return problem('InvalidAuthority', 'ca does not consist of PEM certificates that can be read');
}

function refuseCertificate(
  certificate: ClientCertificate | undefined,
  { commonName, organization }: IdentitySubject,
): CredentialProblem | undefined {
  if (!certificate) {
    return problem('InvalidCertificate', 'signedCRT is missing, or is not a PEM certificate');
  }
  if (!certificate.isOfOurKey) {
    const message = 'signedCRT was issued for another key than that of this cluster';
    return problem('OtherKey', `${message}: ask the provider for a new certificate`);
  }
  const wanted = [`CN=${commonName}`, `O=${organization}`];
  const isAsked = certificate.subject.toSorted().join('\n') === wanted.toSorted().join('\n');
  if (isAsked) return undefined;
  const found = certificate.subject.join(', ');
  return problem('OtherSubject', `signedCRT is for "${found}" instead of "${wanted.join(', ')}"`);
}
