import { checkDnsLabel, checkDnsSubdomain } from '@liqo/kube';
import { HttpRefusal } from './http-refusal.ts';

/** The pages of metrics, each named as its path is. */
export type MetricsPage = 'metrics' | 'metrics/cadvisor' | 'metrics/resource' | 'metrics/probes';

type StreamVerb = 'exec' | 'attach' | 'portforward';

export interface PodTarget {
  readonly namespace: string;
  readonly pod: string;
}

export interface ContainerTarget extends PodTarget {
  readonly container: string;
}

/** A request that there is an answer to. */
export type Route =
  | { readonly type: 'healthz' }
  | { readonly type: 'pods'; readonly running: boolean }
  | { readonly type: 'stats' }
  | { readonly type: 'metrics'; readonly page: MetricsPage }
  | (ContainerTarget & { readonly type: 'logs'; readonly query: URLSearchParams })
  | (PodTarget & {
      readonly type: 'stream';
      readonly verb: StreamVerb;
      /** None for `portforward`. */
      readonly container?: string;
      readonly query: URLSearchParams;
    });

const pages: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/healthz', { type: 'healthz' }],
  ['/pods', { type: 'pods', running: false }],
  ['/pods/', { type: 'pods', running: false }],
  ['/runningpods', { type: 'pods', running: true }],
  ['/runningpods/', { type: 'pods', running: true }],
  ['/stats/summary', { type: 'stats' }],
  ['/metrics', { type: 'metrics', page: 'metrics' }],
  ['/metrics/cadvisor', { type: 'metrics', page: 'metrics/cadvisor' }],
  ['/metrics/resource', { type: 'metrics', page: 'metrics/resource' }],
  ['/metrics/probes', { type: 'metrics', page: 'metrics/probes' }],
]);

/**
 * What a request line asks for; throws an `HttpRefusal` when it is nothing that there is. Paths are compared, never
 * normalised or decoded: no name in Kubernetes needs it, and whoever sends dots or escapes is up to something.
 */
export function parseRoute(method: string, target: string): Route {
  const [path, query] = splitTarget(target);
  if (!/^\/[A-Za-z0-9./-]*$/.test(path)) throw new HttpRefusal(400, 'Bad request: malformed path');
  const route = pages.get(path) ?? podRoute(path.slice(1).split('/'), query);
  if (!route) throw new HttpRefusal(404, '404 page not found');
  const methods = route.type === 'stream' ? ['GET', 'POST'] : ['GET'];
  if (methods.includes(method)) return route;
  throw new HttpRefusal(405, `Method not allowed: use ${methods.join(' or ')}`);
}

function splitTarget(target: string): readonly [string, URLSearchParams] {
  const mark = target.indexOf('?');
  if (mark < 0) return [target, new URLSearchParams()];
  return [target.slice(0, mark), new URLSearchParams(target.slice(mark + 1))];
}

function podRoute(segments: readonly string[], query: URLSearchParams): Route | undefined {
  const [head, namespace = '', pod = '', container, ...rest] = segments;
  if (rest.length > 0 || !isPod(namespace, pod)) return undefined;
  if (head === 'portForward') {
    return container === undefined
      ? { type: 'stream', verb: 'portforward', namespace, pod, query }
      : undefined;
  }
  if (container === undefined || checkDnsLabel(container).length > 0) return undefined;
  if (head === 'containerLogs') return { type: 'logs', namespace, pod, container, query };
  if (head !== 'exec' && head !== 'attach') return undefined;
  return { type: 'stream', verb: head, namespace, pod, container, query };
}

function isPod(namespace: string, pod: string): boolean {
  return checkDnsLabel(namespace).length === 0 && checkDnsSubdomain(pod).length === 0;
}
