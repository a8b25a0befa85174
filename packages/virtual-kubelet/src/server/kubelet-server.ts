import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Client, Clock, Pod, Random, Stored } from '@liqo/kube';
import type { Logger } from '@liqo/runtime';
import { Gatekeeper } from './callers/gatekeeper.ts';
import { FrontDoor, type FrontDoorOptions } from './front-door.ts';
import { HttpRefusal } from './http-refusal.ts';
import { MetricsPages } from './metrics/metrics-pages.ts';
import type { ProviderAccess } from './provider-access.ts';
import { refuse, refuseUpgrade, sendJson, sendText } from './respond.ts';
import { type PodTarget, parseRoute, type Route } from './route.ts';
import { serveLog } from './serve-log.ts';
import { passThrough } from './streams/pass-through.ts';

export interface KubeletServerOptions {
  /** The cluster that the node is in: asked who callers are and what they may do. */
  readonly local: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly nodeName: string;
  readonly consumerClusterID: string;
  readonly keys: FrontDoorOptions['keys'];
  /** All addresses of the machine when absent. */
  readonly host?: string;
  /** 10250 when absent; 0 takes any that is free. */
  readonly port?: number;
  /** Undefined while the provider is not connected. */
  readonly provider: () => ProviderAccess | undefined;
  /** The pods that are bound to the node, as they are here; undefined while that is not known. */
  readonly pods: () => readonly Stored<Pod>[] | undefined;
}

/** Commands come in the request line: as much as a Go server takes. */
const maxHeaderBytes = 1024 * 1024;
const handshakeTimeoutMs = 15_000;
/** Longer than an API server keeps a connection that it does not use: the one that closes it should be the client. */
const keepAliveTimeoutMs = 120_000;

/** Resolves when the port is open. */
export async function startKubeletServer(options: KubeletServerOptions): Promise<KubeletServer> {
  const server = new KubeletServer(options);
  try {
    await server.listen();
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    const { nodeName, port = 10250 } = options;
    const message = `Cannot serve the kubelet's port ${port} of node "${nodeName}"`;
    throw new Error(message, { cause: error });
  }
}

/**
 * The HTTPS endpoint of a virtual node. An API server takes it for a kubelet: logs, streams and statistics of its pods, for
 * whoever may ask for them. They come from the provider, where the pods run.
 */
export class KubeletServer implements AsyncDisposable {
  readonly #options: KubeletServerOptions;
  readonly #gatekeeper: Gatekeeper;
  readonly #metrics: MetricsPages;
  readonly #door: FrontDoor;

  constructor(options: KubeletServerOptions) {
    this.#options = options;
    this.#gatekeeper = new Gatekeeper({ ...options, client: options.local });
    this.#metrics = new MetricsPages({ ...options, pods: () => this.#pods() });
    this.#door = new FrontDoor({ ...options, inside: this.#createServer() });
  }

  get port(): number {
    return this.#door.port;
  }

  /** How many peers are connected. */
  get connections(): number {
    return this.#door.connections;
  }

  listen(): Promise<void> {
    const { host, port = 10250 } = this.#options;
    return this.#door.listen({ port, ...(host !== undefined && { host }) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#door[Symbol.asyncDispose]();
    await this.#gatekeeper[Symbol.asyncDispose]();
  }

  #createServer(): Server {
    const server = createServer({
      requestCert: true,
      // Who the peer is, is checked at every request: see `judgeCertificate`.
      rejectUnauthorized: false,
      maxHeaderSize: maxHeaderBytes,
      handshakeTimeout: handshakeTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    });
    server.on('request', (request, response) => void this.#serve(request, response));
    server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const route = await this.#admit(request);
      await this.#answer(route, response);
    } catch (error) {
      // An answer that was begun cannot be taken back: that it breaks off says it all.
      if (response.headersSent) response.destroy();
      else refuse(response, this.#refusalOf(error));
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { clock } = this.#options;
    // Whoever uses it is told by its close.
    socket.on('error', () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    try {
      const route = await this.#admit(request);
      if (route.type !== 'stream') throw new HttpRefusal(400, 'This is not asked for by upgrade');
      const { client, ...pod } = this.#locate(route);
      await passThrough({ client, clock }, { ...route, ...pod }, request, socket);
    } catch (error) {
      if (!socket.destroyed) refuseUpgrade(socket, this.#refusalOf(error), clock);
    }
  }

  async #admit(request: IncomingMessage): Promise<Route> {
    const route = parseRoute(request.method ?? '', request.url ?? '');
    await this.#gatekeeper.admit(request, route);
    return route;
  }

  async #answer(route: Route, response: ServerResponse): Promise<void> {
    switch (route.type) {
      case 'healthz':
        return sendText(response, 'ok');
      case 'pods':
        return sendJson(response, podList(this.#pods(), route.running));
      case 'stats':
        return this.#metrics.serveSummary(response);
      case 'metrics':
        return this.#metrics.servePage(route.page, response);
      case 'logs': {
        const { client, ...pod } = this.#locate(route);
        return serveLog(client, { ...route, ...pod }, route.query, response);
      }
      case 'stream':
        throw new HttpRefusal(400, 'Upgrade request required', { reason: 'BadRequest' });
    }
  }

  /** Where a pod of this node is at the provider. Nothing else over there can be reached. */
  #locate({ namespace, pod }: PodTarget): PodTarget & { readonly client: Client } {
    const isHere = this.#pods().some(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === pod,
    );
    if (!isHere) {
      const message = `pod "${pod}" in namespace "${namespace}" does not exist on this node`;
      throw new HttpRefusal(404, message, { reason: 'NotFound' });
    }
    const provider = this.#options.provider();
    if (!provider) throw unreachable('it is not connected');
    const remote = provider.remoteNamespace(namespace);
    if (remote === undefined) throw unreachable(`it does not have the namespace "${namespace}"`);
    return { client: provider.client, namespace: remote, pod };
  }

  #pods(): readonly Stored<Pod>[] {
    const pods = this.#options.pods();
    if (pods) return pods;
    const message = 'The pods of this node are not known yet';
    throw new HttpRefusal(503, message, { reason: 'ServiceUnavailable' });
  }

  #refusalOf(error: unknown): HttpRefusal {
    if (error instanceof HttpRefusal) return error;
    this.#options.log.error('Cannot answer a request to the node', { err: error });
    return new HttpRefusal(500, 'Internal error', { reason: 'InternalError' });
  }
}

function podList(pods: readonly Stored<Pod>[], onlyRunning: boolean): object {
  const items = onlyRunning ? pods.filter(({ status }) => status?.phase === 'Running') : pods;
  return { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
}

function unreachable(fact: string): HttpRefusal {
  const reason = 'ServiceUnavailable';
  return new HttpRefusal(503, `Cannot reach the pod at the provider: ${fact}`, { reason });
}
