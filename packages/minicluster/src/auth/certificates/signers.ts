import type { CertificateRequest } from './certificate-request.ts';
import { commonNameOf, organizationsOf } from './distinguished-name.ts';
import type { ExtendedKeyUsage, KeyUsage } from './extensions.ts';

/** Why a signer will not sign a request, in its words; undefined when it will. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The signers of this cluster. Requests for any other are somebody else's. */
export const signers: ReadonlyMap<string, SignerRule> = new Map([
  ['kubernetes.io/kube-apiserver-client', faultOfClient],
  ['kubernetes.io/kubelet-serving', faultOfKubelet],
]);

const keyUsages: readonly string[] = ['digital signature', 'key encipherment'];

/** The usages that the signers allow, as certificates tell them apart. */
export function splitUsages(usages: readonly string[]): {
  readonly usages: readonly KeyUsage[];
  readonly extendedUsages: readonly ExtendedKeyUsage[];
} {
  return {
    usages: usages.filter((usage): usage is KeyUsage => keyUsages.includes(usage)),
    extendedUsages: usages.filter(
      (usage): usage is ExtendedKeyUsage => usage === 'server auth' || usage === 'client auth',
    ),
  };
}

function faultOfClient(_: CertificateRequest, usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => usage !== 'client auth' && !keyUsages.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  if (usages.includes('client auth')) return undefined;
  return 'missing required usage for client certificate: client auth';
}

function faultOfKubelet(
  { subject, alternativeNames }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  const { dns, addresses, emails, uris } = alternativeNames;
  if (organizationsOf(subject).join('\n') !== 'system:nodes') {
    return 'subject organization is not system:nodes';
  }
  if (dns.length === 0 && addresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!hasServingUsages(usages)) {
    return 'usages did not match [digital signature key encipherment server auth]';
  }
  if (commonNameOf(subject).startsWith('system:node:')) return undefined;
  return 'subject common name does not begin with system:node:';
}

/** Only keys of RSA encipher keys: for others that usage is left out. */
function hasServingUsages(usages: readonly string[]): boolean {
  const given = usages.toSorted().join();
  const withoutRsa = 'digital signature,server auth';
  return given === withoutRsa || given === 'digital signature,key encipherment,server auth';
}
