import { type Pod, queryString } from '@liqo/kube';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { badRequest, noSuchPath } from '../rest/refusal.ts';
import type { ResourceRequest } from '../rest/request-info.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { find } from '../rest/target.ts';
import type { Item } from '../store/collection.ts';
import type { KubeletConnection } from './kubelet-connection.ts';

type Handler = (request: ApiRequest, resource: Resource) => Promise<ApiAnswer>;
type StoredPod = Item & Pod;

/** `pods/log`, `pods/exec`, `pods/attach` and `pods/portforward`: found here, served by the kubelet of the pod. */
export function podStreams(
  parts: ServerParts,
  kubelets: KubeletConnection,
): Readonly<Record<string, Handler>> {
  const open = (request: ApiRequest, resource: Resource) => {
    const target = targetOf(request);
    return { target, pod: find(parts, resource, target) as StoredPod };
  };
  return {
    'pods/log': async (request, resource) => {
      const { target, pod } = open(request, resource);
      const container = containerOf(pod, request.query.get('container') ?? '');
      const query = sorted(request.query, ['container']);
      const path = `/containerLogs/${target.namespace}/${target.name}/${container}${query}`;
      const answer = await kubelets.get(nodeOf(pod), path, request.signal);
      return { ...answer, headers: { 'content-type': 'text/plain' } };
    },
    'pods/exec': async (request, resource) => {
      const { target, pod } = open(request, resource);
      return kubelets.upgrade(nodeOf(pod), streamPath('exec', target, pod, request.query), request);
    },
    'pods/attach': async (request, resource) => {
      const { target, pod } = open(request, resource);
      return kubelets.upgrade(
        nodeOf(pod),
        streamPath('attach', target, pod, request.query),
        request,
      );
    },
    'pods/portforward': async (request, resource) => {
      const { target, pod } = open(request, resource);
      const ports = queryString({ port: request.query.getAll('ports') });
      const path = `/portForward/${target.namespace}/${target.name}${ports}`;
      return kubelets.upgrade(nodeOf(pod), path, request);
    },
  };
}

function targetOf({ info }: ApiRequest): ResourceRequest {
  if (!info.resource) throw noSuchPath();
  return info.resource;
}

/** The API speaks of stdin, stdout and stderr; a kubelet of input, output and error. */
function streamPath(
  verb: 'exec' | 'attach',
  target: ResourceRequest,
  pod: StoredPod,
  query: URLSearchParams,
): string {
  const container = containerOf(pod, query.get('container') ?? '');
  const flag = (name: string) =>
    query.get(name) === 'true' || query.get(name) === '1' ? 1 : undefined;
  const parameters = queryString({
    command: query.getAll('command'),
    error: flag('stderr'),
    input: flag('stdin'),
    output: flag('stdout'),
    tty: flag('tty'),
  });
  return `/${verb}/${target.namespace}/${target.name}/${container}${parameters}`;
}

function nodeOf(pod: StoredPod): string {
  const node = pod.spec?.nodeName;
  if (node) return node;
  throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
}

const defaultContainer = 'kubectl.kubernetes.io/default-container';

function containerOf(pod: StoredPod, asked: string): string {
  const { name } = pod.metadata;
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const names = containers.map((container) => container.name);
  const all = [
    ...names,
    ...initContainers.map((c) => c.name),
    ...ephemeralContainers.map((c) => c.name),
  ];
  if (asked) {
    if (all.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  const annotated = pod.metadata.annotations?.[defaultContainer];
  const [only] = names;
  if (annotated && all.includes(annotated)) return annotated;
  if (names.length === 1 && only) return only;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`,
  );
}

function sorted(query: URLSearchParams, without: readonly string[]): string {
  const kept = [...query.entries()].filter(([key]) => !without.includes(key));
  const inOrder = kept.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return queryString(Object.fromEntries(inOrder));
}
