import { text } from 'node:stream/consumers';
import { ApiError, type CallSignal, isJsonObject, type Node } from '@liqo/kube';
import type { Status } from 'kubernetes-types/meta/v1.d.ts';
import type { ApiAnswer } from '../rest/api-request.ts';
import { ObjectStore } from '../rest/object-store.ts';
import { notFound } from '../rest/refusal.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import type { Item } from '../store/collection.ts';
import { askBackend, authorityOf, type Backend, type ClientCredentials } from './backend.ts';
import type { ClusterRoutes } from './cluster-routes.ts';

const pods = { group: '', plural: 'pods' };

/** Passes requests on to the kubelets of the nodes, as the API server does for logs and streams. */
export class KubeletConnection {
  readonly #parts: ServerParts;
  readonly #routes: ClusterRoutes;
  readonly #issue: () => ClientCredentials;
  #credentials: ClientCredentials | undefined;

  /** Credentials are issued when the first kubelet is asked. */
  constructor(parts: ServerParts, routes: ClusterRoutes, issue: () => ClientCredentials) {
    this.#parts = parts;
    this.#routes = routes;
    this.#issue = issue;
  }

  /** The kubelet's answer, streamed, or the refusal that it worded. */
  async get(nodeName: string, path: string, signal: CallSignal): Promise<ApiAnswer> {
    const kubelet = this.locate(nodeName);
    const request = { method: 'GET', path, headers: {}, signal };
    const answer = await askBackend(kubelet, request).catch((error: Error) => {
      const url = `https://${authorityOf(kubelet)}${path}`;
      throw new ApiError({ code: 500, message: `Get "${url}": ${error.message}` });
    });
    if ('connection' in answer) throw new Error(`Cannot read ${path}: the kubelet has switched`);
    if (answer.status >= 400)
      throw new ApiError(statusFrom(answer.status, await text(answer.body)));
    return { status: answer.status, headers: answer.headers, stream: answer.body };
  }

  /** Where the kubelet of a node is. The node of a pod that is not there is refused as if it were the pod. */
  locate(nodeName: string, missing: { group: string; plural: string } = pods): Backend {
    const resource = this.#parts.registry.find('', 'v1', 'nodes');
    const node = resource && new ObjectStore(this.#parts.store, resource).get(nodeName);
    if (!node) throw notFound(missing, nodeName);
    const { addresses = [], daemonEndpoints } = (node as Item & Node).status ?? {};
    const byType = (type: string) => addresses.find((address) => address.type === type)?.address;
    const host = byType('InternalIP') ?? byType('Hostname') ?? byType('ExternalIP');
    if (!host) {
      const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
      const message = `no preferred addresses found; known addresses: [${known}]`;
      throw new ApiError({ code: 500, message });
    }
    const port = String(daemonEndpoints?.kubeletEndpoint?.Port || 10250);
    this.#credentials ??= this.#issue();
    // A kubelet that runs in a pod, as a virtual kubelet does, has the address of that pod.
    const machine = this.#routes.machineOf(host);
    return { scheme: 'https', host, port, machine, credentials: this.#credentials };
  }
}

function statusFrom(code: number, said: string): Status {
  try {
    const parsed: unknown = JSON.parse(said);
    if (isJsonObject(parsed) && parsed.kind === 'Status') return parsed as Status;
  } catch {
    // Kubelets answer in plain words, which become the message.
  }
  return { status: 'Failure', code, message: said.trim() };
}
