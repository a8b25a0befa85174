import { X509Certificate } from 'node:crypto';
import type { ProviderAuthenticationOptions } from '@liqo/controllers';
import { UsageError } from './flags.ts';

interface ApiServerFlags {
  readonly 'api-server-address-override': string;
  readonly 'ca-override': string;
  readonly 'trusted-ca': boolean;
}

/** What consumers are told of the API server; throws for what would make each of them fail. */
export function parseApiServer(
  command: string,
  values: ApiServerFlags,
): ProviderAuthenticationOptions['apiServer'] {
  const address = values['api-server-address-override'];
  const ca = Buffer.from(values['ca-override'], 'base64').toString('latin1');
  if (address !== '' && !isAddress(address)) {
    throw new UsageError(
      `Cannot run "liqo ${command}": "--api-server-address-override=${address}" is not of the form https://host:port or host:port`,
    );
  }
  if (values['ca-override'] !== '' && !isCertificate(ca)) {
    throw new UsageError(
      `Cannot run "liqo ${command}": "--ca-override" is not the base64 of PEM certificates`,
    );
  }
  return { address, ca, isTrusted: values['trusted-ca'] };
}

function isAddress(text: string): boolean {
  if (/^http:/.test(text)) return false;
  try {
    const { pathname, search, hash, username } = new URL(text.replace(/^(?!https:)/, 'https://'));
    return pathname === '/' && search === '' && hash === '' && username === '';
  } catch {
    return false;
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
