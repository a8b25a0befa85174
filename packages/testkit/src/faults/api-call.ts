import type { TransportRequest } from '@liqo/kube';
import { readRequestInfo, readRequestTarget } from '@liqo/minicluster';

/** A call of the API as plans and observers see it. */
export interface ApiCall extends TransportRequest {
  /** The user, or whatever tells callers apart. */
  readonly who: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  /** `pods`, `deployments.apps`, `pods/status`; empty for what is not of a kind. */
  readonly resource: string;
  readonly namespace: string | undefined;
  /** Absent for collections, and thus for `create`. */
  readonly name: string | undefined;
  /** Which time it is that this caller asks for exactly this, the first being 1. */
  readonly attempt: number;
}

/** Reads requests as calls, and counts their attempts. */
export class CallReader {
  readonly #attempts = new Map<string, number>();
  /** By caller, method and path: most calls are made more than once. */
  readonly #known = new Map<string, KnownCall>();

  read(who: string, request: TransportRequest): ApiCall {
    const { identity, verb, resource, namespace, name } = this.#recognize(who, request);
    const attempt = (this.#attempts.get(identity) ?? 0) + 1;
    this.#attempts.set(identity, attempt);
    return { ...request, who, verb, resource, namespace, name, attempt };
  }

  #recognize(who: string, request: TransportRequest): KnownCall {
    const { method, path } = request;
    const asked = `${who} ${method} ${path}`;
    const known = this.#known.get(asked);
    if (known) return known;
    const subject = subjectOf(request);
    const recognized = { ...subject, identity: identityOf({ ...subject, who, path }) };
    this.#known.set(asked, recognized);
    return recognized;
  }
}

/** All that calls for the same have in common. */
export function identityOf(call: Subject & Pick<ApiCall, 'who' | 'path'>): string {
  const { who, verb, resource, namespace = '', name = '', path } = call;
  return resource ? `${who} ${verb} ${resource} ${namespace} ${name}` : `${who} ${verb} ${path}`;
}

export function isWatch({ verb }: ApiCall): boolean {
  return verb === 'watch';
}

export function isList({ verb }: ApiCall): boolean {
  return verb === 'list';
}

export function isWrite({ method }: TransportRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

interface KnownCall extends Subject {
  readonly identity: string;
}

type Subject = Pick<ApiCall, 'verb' | 'resource' | 'namespace' | 'name'>;

function subjectOf({ method, path }: TransportRequest): Subject {
  const { pathname, searchParams } = readRequestTarget(path);
  const { verb, resource } = readRequestInfo(method, pathname, searchParams);
  if (!resource) return { verb, resource: '', namespace: undefined, name: undefined };
  const { group, plural, subresource, namespace, name } = resource;
  const kind = `${plural}${group && `.${group}`}${subresource && `/${subresource}`}`;
  return { verb, resource: kind, namespace, name };
}
