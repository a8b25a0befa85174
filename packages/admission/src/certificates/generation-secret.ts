import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ownMember, type Secret } from '@liqo/kube';
import { backdateMs } from './forge-generation.ts';
import type { Generation } from './generation.ts';

/** The newest first. */
const prefixes = ['', 'previous-'];

/** The `data` of the Secret that all replicas serve from, with the keys of Liqo. The generations are the newest and the one before. */
export function printGenerations(generations: readonly Generation[]): Record<string, string> {
  const entries = generations.flatMap(({ authority, certificate, privateKey }, nth) => {
    const prefix = prefixes[nth];
    if (prefix === undefined) throw new RangeError('a Secret has two generations at most');
    return [
      [`${prefix}ca`, encode(authority)],
      [`${prefix}tls.crt`, encode(certificate)],
      [`${prefix}tls.key`, encode(privateKey)],
    ];
  });
  return Object.fromEntries(entries);
}

/** Those of which a server for these names can use everything, the newest first. The Secret may have been edited. */
export function readGenerations(
  { data = {} }: Secret,
  dnsNames: readonly string[],
): readonly Generation[] {
  return prefixes.flatMap((prefix) => {
    const [authority, certificate, privateKey] = ['ca', 'tls.crt', 'tls.key'].map((key) =>
      Buffer.from(ownMember(data, `${prefix}${key}`) ?? '', 'base64').toString(),
    ) as [string, string, string];
    const validity = readValidity({ authority, certificate, privateKey }, dnsNames);
    return validity ? [{ authority, certificate, privateKey, ...validity }] : [];
  });
}

type Texts = Pick<Generation, 'authority' | 'certificate' | 'privateKey'>;

function readValidity(texts: Texts, dnsNames: readonly string[]) {
  try {
    const authority = new X509Certificate(texts.authority);
    const certificate = new X509Certificate(texts.certificate);
    const isUsable =
      authority.ca &&
      certificate.checkIssued(authority) &&
      certificate.verify(authority.publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(texts.privateKey)) &&
      dnsNames.every((name) => certificate.checkHost(name) !== undefined);
    const issuedAtMs = Date.parse(certificate.validFrom) + backdateMs;
    const expiresAtMs = Math.min(Date.parse(certificate.validTo), Date.parse(authority.validTo));
    return isUsable ? { issuedAtMs, expiresAtMs } : undefined;
  } catch {
    // What OpenSSL says may quote the key, and every part that cannot be read is replaced.
    return undefined;
  }
}

function encode(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
