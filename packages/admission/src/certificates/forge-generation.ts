import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Generation } from './generation.ts';

const dayMs = 24 * 3600_000;
const lifeMs = 90 * dayMs;
/** For clocks that are behind. */
export const backdateMs = 5 * 60_000;

/** The key of the authority is not kept: with what is stored nobody can issue a further certificate. */
export async function forgeGeneration(
  dnsNames: readonly string[],
  nowMs: number,
): Promise<Generation> {
  // Loaded when it is needed: it takes its time.
  const { forgeAuthority, forgeIssued } = await import('@liqo/kube/x509');
  const [authorityKey, key] = [createKey(), createKey()];
  // Certificates have no fractions of a second.
  const issuedAtMs = Math.floor(nowMs / 1000) * 1000;
  const expiresAtMs = issuedAtMs + lifeMs;
  const validity = { notBeforeMs: issuedAtMs - backdateMs, notAfterMs: expiresAtMs };
  // TLS libraries look authorities up by their names, so each has its own.
  const commonName = `webhook-authority-${randomBytes(8).toString('hex')}`;
  const issuer = { subject: { organization: 'liqo.io', commonName }, key: authorityKey };
  const subject = { organization: 'liqo.io', commonName: 'webhook' };
  return {
    authority: forgeAuthority({ ...issuer, ...validity }),
    certificate: forgeIssued({ subject, key, issuer, dnsNames, ...validity }),
    privateKey: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    issuedAtMs,
    expiresAtMs,
  };
}

function createKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}
