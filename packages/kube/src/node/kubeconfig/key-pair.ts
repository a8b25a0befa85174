import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A client certificate (with what leads up to its authority) and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export function isSameKeyPair(one: KeyPair | undefined, other: KeyPair | undefined): boolean {
  return one?.cert === other?.cert && one?.key === other?.key;
}

/** Why TLS could not use the pair, in words that follow the certificate's name; `undefined` when it can. */
export function keyPairProblem(pair: KeyPair): string | undefined {
  try {
    createSecureContext(pair);
    return undefined;
  } catch (error) {
    return `cannot be used with its key (${opensslReason(error)})`;
  }
}

/** Why a bundle of authorities could not be used; TLS itself would just ignore what it cannot read. */
export function authorityProblem(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
  if (!blocks) return 'holds no PEM certificate';
  const broken = blocks.findIndex((block) => !isCertificate(block));
  return broken < 0 ? undefined : `holds a certificate that cannot be read (number ${broken + 1})`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** `error:05800074:x509 certificate routines::key values mismatch` ends in the part that helps. */
function opensslReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return message.split(':').at(-1) || 'unknown reason';
}
