import type { Pod } from '@liqo/kube';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { badRequest, noSuchPath } from '../rest/refusal.ts';
import { isTrue, type ResourceRequest } from '../rest/request-info.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { find } from '../rest/target.ts';
import type { Item } from '../store/collection.ts';
import type { StreamWishes } from '../streams/command-streams.ts';
import { admitSubresource } from './admit-subresource.ts';
import type { Backend } from './backend.ts';
import { goQuery } from './go-query.ts';
import type { KubeletConnection } from './kubelet-connection.ts';
import { asksForUpgrade, passedHeaders } from './passed-headers.ts';
import { refuseDryRun } from './refuse-dry-run.ts';
import { switchBackend } from './switch-backend.ts';
import { isTranslated, translateCommand } from './translate-command.ts';
import { tunnelledProtocols, tunnelPorts } from './tunnel-ports.ts';

type Handler = (request: ApiRequest, resource: Resource) => Promise<ApiAnswer>;
type StoredPod = Item & Pod;

/** `pods/log`, `pods/exec`, `pods/attach` and `pods/portforward`: found here, served by the kubelet of the pod. */
export function podStreams(
  parts: ServerParts,
  kubelets: KubeletConnection,
): Readonly<Record<string, Handler>> {
  const open = (request: ApiRequest, resource: Resource) => {
    refuseDryRun(request);
    const target = targetOf(request);
    return { target, pod: find(parts, resource, target) as StoredPod };
  };
  const connect = async (request: ApiRequest, resource: Resource, options: object) => {
    refuseDryRun(request);
    await admitSubresource(parts, request, resource, 'CONNECT', options);
    return open(request, resource);
  };
  const command =
    (verb: 'exec' | 'attach'): Handler =>
    async (request, resource) => {
      const wishes = wishesIn(request.query);
      const options = commandOptions(verb, request.query, wishes);
      const { target, pod } = await connect(request, resource, options);
      const path = commandPath(verb, target, pod, request.query, wishes);
      const kubelet = kubelets.locate(nodeOf(pod));
      if (isTranslated(request)) return translateCommand(kubelet, path, request, wishes);
      return passOn(kubelet, path, request);
    };
  return {
    'pods/log': async (request, resource) => {
      const { target, pod } = open(request, resource);
      const container = containerOf(pod, request.query.get('container') ?? '');
      const query = logQuery(request.query);
      const path = `/containerLogs/${target.namespace}/${target.name}/${container}${query}`;
      const answer = await kubelets.get(nodeOf(pod), path, request.signal);
      return { ...answer, headers: { 'content-type': 'text/plain' } };
    },
    'pods/exec': command('exec'),
    'pods/attach': command('attach'),
    'pods/portforward': async (request, resource) => {
      const options = portOptions(request.query);
      const { target, pod } = await connect(request, resource, options);
      const ports = request.query.getAll('ports').join(',');
      const query = goQuery({ port: ports ? [ports] : [] });
      const path = `/portForward/${target.namespace}/${target.name}${query}`;
      const kubelet = kubelets.locate(nodeOf(pod));
      if (tunnelledProtocols(request).length > 0) return tunnelPorts(kubelet, path, request);
      return passOn(kubelet, path, request);
    },
  };
}

async function passOn(kubelet: Backend, path: string, request: ApiRequest): Promise<ApiAnswer> {
  if (!asksForUpgrade(request)) throw badRequest('Upgrade request required');
  const { method, signal } = request;
  const headers = passedHeaders(request);
  return switchBackend(kubelet, { method, path, headers, signal });
}

function targetOf({ info }: ApiRequest): ResourceRequest {
  if (!info.resource) throw noSuchPath();
  return info.resource;
}

function wishesIn(query: URLSearchParams): StreamWishes {
  const isSet = (name: string) => isTrue(query.get(name));
  return {
    stdin: isSet('stdin'),
    stdout: isSet('stdout'),
    stderr: isSet('stderr'),
    tty: isSet('tty'),
  };
}

/** PodExecOptions or PodAttachOptions: what is not asked for is left out. */
function commandOptions(
  verb: 'exec' | 'attach',
  query: URLSearchParams,
  wishes: StreamWishes,
): object {
  const asked = Object.entries(wishes).filter(([, isWanted]) => isWanted);
  const container = query.get('container');
  const command = query.getAll('command');
  return {
    ...Object.fromEntries(asked),
    ...(container && { container }),
    ...(verb === 'exec' && { command: command.length > 0 ? command : null }),
  };
}

function portOptions(query: URLSearchParams): object {
  const ports = query.getAll('ports').flatMap((list) => list.split(',').map(Number));
  return ports.length > 0 ? { ports } : {};
}

/** The API speaks of stdin, stdout and stderr; a kubelet of input, output and error. */
function commandPath(
  verb: 'exec' | 'attach',
  target: ResourceRequest,
  pod: StoredPod,
  query: URLSearchParams,
  { stdin, stdout, stderr, tty }: StreamWishes,
): string {
  const container = containerOf(pod, query.get('container') ?? '');
  const flag = (isSet: boolean) => (isSet ? ['1'] : []);
  const parameters = goQuery({
    command: verb === 'exec' ? query.getAll('command') : [],
    error: flag(stderr),
    input: flag(stdin),
    output: flag(stdout),
    tty: flag(tty),
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

/** The parameters of a log but for the container, which is a part of the path. */
function logQuery(query: URLSearchParams): string {
  const kept = [...new Set(query.keys())].filter((name) => name !== 'container');
  return goQuery(Object.fromEntries(kept.map((name) => [name, query.getAll(name)])));
}
