import { ApiError, type Client, oneLine } from '@liqo/kube';
import type { ProviderLink } from '../provider/provider-link.ts';
import { HttpRefusal } from './http-refusal.ts';

/** The provider, as far as the kubelet's endpoints need it. */
export interface ProviderAccess {
  readonly client: Client;
  /** The name that a namespace of ours has over there; undefined when it is not there. */
  remoteNamespace(namespace: string): string | undefined;
}

/** The provider that a link leads to at the moment. */
export function accessThrough(
  link: Pick<ProviderLink, 'session'>,
): () => ProviderAccess | undefined {
  return () => {
    const { session } = link;
    if (!session) return undefined;
    const { client, namespaces } = session;
    return { client, remoteNamespace: (namespace) => namespaces.of(namespace)?.name };
  };
}

/**
 * What the caller is told when the provider does not do what it was asked for: the provider's own words, except where
 * they would be taken for words about the caller.
 */
export function refusalOfProvider(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  const said = oneLine(error instanceof Error ? error.message : String(error));
  if (!(error instanceof ApiError)) {
    return new HttpRefusal(503, `Cannot reach the provider: ${said}`, {
      reason: 'ServiceUnavailable',
      cause: error,
    });
  }
  if (error.code === 401) {
    const message = `The provider does not accept the credentials of this node: ${said}`;
    return new HttpRefusal(502, message, { cause: error });
  }
  const { reason, details } = error;
  return new HttpRefusal(errorCode(error), said, { reason, details, cause: error });
}

/** Node throws on a status that HTTP does not have, and the body of the answer may claim any. */
function errorCode({ code }: ApiError): number {
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : 502;
}
