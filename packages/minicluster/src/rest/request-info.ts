/** What a request asks for, read from its method and path: what authorization and routing decide by. */
export interface RequestInfo {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; or the method, in lower case. */
  readonly verb: string;
  readonly path: string;
  /** Undefined for everything that is not a resource: `/healthz`, `/version`, discovery. */
  readonly resource: ResourceRequest | undefined;
}

export interface ResourceRequest {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** `status`, `log`; empty for the object itself. */
  readonly subresource: string;
  /** What follows the subresource: the path behind a `proxy`. */
  readonly rest: string;
}

const verbsOfCollections: Readonly<Record<string, string>> = {
  GET: 'list',
  HEAD: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};
const verbsOfObjects: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function readRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const resource = readResource(segmentsOf(path));
  if (!resource) return { verb: method.toLowerCase(), path, resource };
  const verbs = resource.name === undefined ? verbsOfCollections : verbsOfObjects;
  const verb = verbs[method] ?? method.toLowerCase();
  const watches = verb === 'list' && isTrue(query.get('watch'));
  return { verb: watches ? 'watch' : verb, path, resource };
}

/** Few have anything to decode. */
function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').filter(Boolean);
  return path.includes('%') ? segments.map(decodeURIComponent) : segments;
}

function readResource(segments: readonly string[]): ResourceRequest | undefined {
  if (segments[0] === 'api' && segments.length >= 3) {
    return readBelowVersion('', segments[1], segments.slice(2));
  }
  if (segments[0] === 'apis' && segments.length >= 4) {
    return readBelowVersion(segments[1], segments[2], segments.slice(3));
  }
  return undefined;
}

function readBelowVersion(
  group = '',
  version = '',
  segments: readonly string[],
): ResourceRequest | undefined {
  const namespaced = segments[0] === 'namespaces' && segments.length > 2;
  // `namespaces/x/status` and `namespaces/x/finalize` are subresources of the namespace, not resources in it.
  const ofNamespace = namespaced && (segments[2] === 'status' || segments[2] === 'finalize');
  const inNamespace = namespaced && !ofNamespace;
  const [plural, name, subresource = '', ...rest] = inNamespace ? segments.slice(2) : segments;
  if (plural === undefined) return undefined;
  const itself = plural === 'namespaces' && group === '' ? name : undefined;
  const namespace = inNamespace ? segments[1] : itself;
  return { group, version, plural, namespace, name, subresource, rest: rest.join('/') };
}

/** Query parameters are true as Go reads them. */
export function isTrue(value: string | null): boolean {
  return value !== null && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value);
}
