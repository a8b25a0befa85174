import type { TransportRequest } from '@liqo/kube';

/** What a path of the Kubernetes API addresses. */
export interface ResourceRequest {
  readonly method: string;
  readonly group: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  /** Absent when the whole collection is meant. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: string;
}

/** A namespace's own subresources look like kinds inside of it. */
const resourcePattern =
  /^\/(?:api|apis\/(?<group>[^/]+))\/v[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?!\/(?:status|finalize)$))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>.+))?)?$/;

/** Undefined when the path is not one of a kind. */
export function parseResourceRequest(request: TransportRequest): ResourceRequest | undefined {
  const url = new URL(request.path, 'http://in-process');
  const match = resourcePattern.exec(url.pathname)?.groups;
  if (!match?.plural) return undefined;
  const { body = '' } = request;
  return {
    method: request.method,
    group: match.group ?? '',
    plural: match.plural,
    namespace: decoded(match.namespace),
    name: decoded(match.name),
    subresource: match.subresource,
    query: url.searchParams,
    contentType: request.headers?.['content-type'] ?? 'application/json',
    body: typeof body === 'string' ? body : new TextDecoder().decode(body),
  };
}

function decoded(segment: string | undefined): string | undefined {
  return segment === undefined ? undefined : decodeURIComponent(segment);
}
