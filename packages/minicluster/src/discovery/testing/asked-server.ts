import { builtInResources } from '../../resources/built-in.ts';
import type { ApiAnswer, ApiRequest } from '../../rest/api-request.ts';
import { Registry } from '../../rest/registry.ts';
import { readRequestInfo } from '../../rest/request-info.ts';
import type { Resource } from '../../rest/resource.ts';
import { customSchemas } from '../../schema/custom-schemas.ts';
import { discoveryPaths } from '../discovery-paths.ts';

/** Every subresource a real server has of the built-in resources. */
const handledSubresources = [
  'namespaces/finalize',
  'nodes/proxy',
  'pods/attach',
  'pods/binding',
  'pods/ephemeralcontainers',
  'pods/eviction',
  'pods/exec',
  'pods/log',
  'pods/portforward',
  'pods/proxy',
  'pods/resize',
  'serviceaccounts/token',
  'services/proxy',
  'certificatesigningrequests.certificates.k8s.io/approval',
];

const answeredReviews = [
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
];

const handlers = Object.fromEntries(
  handledSubresources.map((name) => [name, async (): Promise<ApiAnswer> => ({ status: 200 })]),
);

export function builtInRegistry(): Registry {
  const registry = new Registry();
  const resources = builtInResources({
    clock: { now: () => 0, monotonicMs: () => 0, after: () => ({ cancel: () => {} }) },
    random: () => 0.5,
    subresourceHandlers: handlers,
    reviewHandlers: Object.fromEntries(answeredReviews.map((name) => [name, (review) => review])),
  });
  for (const resource of resources) registry.add(resource);
  return registry;
}

/** As of a CustomResourceDefinition. */
export function widgets(version: string): Resource {
  return {
    group: 'example.com',
    version,
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
    ...customSchemas(),
    selectableFields: {},
    strategy: {},
    subresources: new Map(),
    columns: [],
    custom: true,
  };
}

type Ask = (
  path: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiAnswer | undefined>;

/** Asks a server that has nothing but discovery; undefined when the path is none of its. */
export function askedServer(registry = builtInRegistry()): Ask {
  const paths = discoveryPaths({ registry, serverAddress: () => 'here' });
  return async (path, headers = {}) => {
    for (const handle of paths) {
      const answer = handle(requestFor(path, headers));
      if (answer) return answer;
    }
    return undefined;
  };
}

function requestFor(path: string, headers: Readonly<Record<string, string>>): ApiRequest {
  const { pathname, searchParams } = new URL(path, 'https://cluster');
  return {
    method: 'GET',
    info: readRequestInfo('GET', pathname, searchParams),
    query: searchParams,
    headers,
    body: '',
    user: { name: 'ada', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => {},
  };
}
