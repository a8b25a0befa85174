import type { JsonAnswer } from './post-json.ts';
import type { Address } from './resolve-service.ts';

/** What went wrong with a connection, as the API server tells it. */
export function connectionFact(error: unknown, { host, port }: Address): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const dialled = `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `${dialled}: connect: connection refused`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${host}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_SIGNATURE_FAILURE':
      return unverified('certificate signed by unknown authority');
    case 'CERT_HAS_EXPIRED':
      return unverified('certificate has expired or is not yet valid');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return unverified(`certificate is not valid for ${host}`);
    default:
      return message;
  }
}

function unverified(fact: string): string {
  return `tls: failed to verify certificate: x509: ${fact}`;
}

const factsByStatus: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  503: 'the server is currently unable to handle the request',
};

/** What an answer other than "OK" means; undefined when it is one. */
export function statusFact({ status, text }: JsonAnswer): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  const known = factsByStatus[status];
  if (known) return known;
  const said = JSON.stringify(text || 'unknown');
  if (status >= 500)
    return `an error on the server (${said}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}
