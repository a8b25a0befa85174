import { ApiError } from '@liqo/kube';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { noSuchPath } from '../rest/refusal.ts';
import type { ResourceRequest } from '../rest/request-info.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { admitSubresource } from './admit-subresource.ts';
import { askBackend, authorityOf, type Backend, type PlainHeaders } from './backend.ts';
import type { ClusterRoutes } from './cluster-routes.ts';
import type { KubeletConnection } from './kubelet-connection.ts';
import { ProxyLocator } from './locate-proxied.ts';
import { asksForUpgrade, passedHeaders, withoutHopByHop } from './passed-headers.ts';
import { refuseDryRun } from './refuse-dry-run.ts';
import { rewriteLocation } from './rewrite-location.ts';
import { answerUpgrade, switchBackend } from './switch-backend.ts';

type Handler = (request: ApiRequest, resource: Resource) => Promise<ApiAnswer>;

/** `nodes/proxy`, `pods/proxy` and `services/proxy`: any request, passed on to what the cluster runs. */
export function proxies(
  parts: ServerParts,
  kubelets: KubeletConnection,
  routes: ClusterRoutes,
): Readonly<Record<string, Handler>> {
  const locator = new ProxyLocator(parts, kubelets, routes);
  const handler =
    (locate: (target: ResourceRequest) => Backend | Promise<Backend>): Handler =>
    async (request, resource) => {
      const target = request.info.resource;
      if (!target) throw noSuchPath();
      refuseDryRun(request);
      const { rest } = splitPath(urlOf(request).pathname, target);
      await admitSubresource(parts, request, resource, 'CONNECT', rest ? { path: rest } : {});
      return passOn(await locate(target), request, target);
    };
  return {
    'nodes/proxy': handler(({ name = '' }) => locator.node(name)),
    'pods/proxy': handler(({ namespace = '', name = '' }) => locator.pod(namespace, name)),
    'services/proxy': handler(({ namespace = '', name = '' }) => locator.service(namespace, name)),
  };
}

async function passOn(
  backend: Backend,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const url = urlOf(request);
  const { prefix, rest } = splitPath(url.pathname, target);
  const path = `${rest || '/'}${url.search}`;
  const { method, signal } = request;
  const headers = passedHeaders(request);
  if (asksForUpgrade(request)) return switchBackend(backend, { method, path, headers, signal });
  if (rest === '' && (method === 'GET' || method === 'HEAD')) return redirect(url);
  const forwarded = { ...withoutHopByHop(headers), 'x-forwarded-uri': url.pathname };
  const answer = await send(backend, request, path, forwarded);
  const hosts = { backend: authorityOf(backend), client: headers.host ?? '' };
  return withLocation(answer, (location) => rewriteLocation(location, hosts, prefix));
}

function urlOf({ sent, info }: ApiRequest): URL {
  return new URL(sent?.path ?? info.path, 'https://cluster');
}

/** What leads to the proxy, and what follows. Anything in it can be called "proxy" too. */
function splitPath(
  path: string,
  { namespace }: ResourceRequest,
): { readonly prefix: string; readonly rest: string } {
  const depth = namespace === undefined ? 5 : 7;
  const prefix = path.split('/', depth + 1).join('/');
  return { prefix, rest: path.slice(prefix.length) };
}

function withLocation(answer: ApiAnswer, rewrite: (location: string) => string): ApiAnswer {
  const { location, ...headers } = answer.headers ?? {};
  return location ? { ...answer, headers: { ...headers, location: rewrite(location) } } : answer;
}

/** Links in a page are relative to its folder, and so the folder has to be asked for. */
function redirect({ pathname, search }: URL): ApiAnswer {
  return { status: 301, headers: { location: `${pathname}/${search}` } };
}

async function send(
  backend: Backend,
  { method, sent, signal }: ApiRequest,
  path: string,
  headers: PlainHeaders,
): Promise<ApiAnswer> {
  const request = { method, path, headers, body: sent?.body, signal };
  const answer = await askBackend(backend, request).catch((error: Error) => {
    const message = `error trying to reach service: ${error.message}`;
    throw new ApiError({ code: 503, reason: 'ServiceUnavailable', message });
  });
  if ('connection' in answer) return answerUpgrade(answer);
  const kept = withoutHopByHop(answer.headers);
  return { status: answer.status, headers: withoutCors(kept), stream: answer.body };
}

/** Who may read an answer from the API server is not for a pod to say. */
function withoutCors(headers: PlainHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !name.startsWith('access-control-allow-'),
  );
  return Object.fromEntries(kept);
}
