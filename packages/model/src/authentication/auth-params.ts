import type { AuthParams } from './forge-identity.ts';

/** What a consumer needs beside its key. The certificate and the authority are PEM as base64. */
export function forgeAuthParams(
  { apiServer, ca }: { readonly apiServer: string; readonly ca?: string },
  certificate: string,
  proxyURL: string | undefined,
): AuthParams {
  return {
    ...(ca !== undefined && { ca }),
    signedCRT: certificate,
    apiServer,
    ...(proxyURL && { proxyURL }),
  };
}
