import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Client, Clock, Pod, Random, Stored } from '@liqo/kube';
import type { Logger } from '@liqo/runtime';
import { Gatekeeper } from './callers/gatekeeper.ts';
import type { KeyPair } from './certificate/key-pair.ts';
import { HttpRefusal } from './http-refusal.ts';
import { MetricsPages } from './metrics/metrics-pages.ts';
import type { ProviderAccess } from './provider-access.ts';
import { refuse, refuseUpgrade, sendJson, sendText } from './respond.ts';
import { type PodTarget, parseRoute, type Route } from './route.ts';
import { serveLog } from './serve-log.ts';
import { passThrough } from './streams/pass-through.ts';

/** What the server proves itself with, now and later. */
interface ServingKeys {
  readonly current: KeyPair;
  subscribe(listener: (keys: KeyPair) => void): Disposable;
}

export interface KubeletServerOptions {
  /** The cluster that the node is in: asked who callers are and what they may do. */
  readonly local: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly nodeName: string;
  readonly consumerClusterID: string;
  readonly certificate: ServingKeys;
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
/** How often the kernel asks a silent peer whether it is still there. */
const keepAliveMs = 15_000;

/** Resolves when the port answers. */
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
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #subscription: Disposable;

  constructor(options: KubeletServerOptions) {
    this.#options = options;
    this.#gatekeeper = new Gatekeeper({ ...options, client: options.local });
    this.#metrics = new MetricsPages({ ...options, pods: () => this.#pods() });
    this.#server = createServer({
      ...secureContext(options.certificate.current),
      requestCert: true,
      // Who the peer is, is checked at every request: see `judgeCertificate`.
      rejectUnauthorized: false,
      maxHeaderSize: maxHeaderBytes,
      handshakeTimeout: handshakeTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    });
    this.#subscription = options.certificate.subscribe((keys) => {
      this.#server.setSecureContext(secureContext(keys));
    });
    this.#server.on('connection', (socket: Socket) => this.#track(socket));
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      void this.#upgrade(request, socket, head);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many peers are connected. */
  get connections(): number {
    return this.#sockets.size;
  }

  listen(): Promise<void> {
    const { host, port = 10250 } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.on('error', reject);
      this.#server.listen({ port, ...(host !== undefined && { host }) }, resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await this.#gatekeeper[Symbol.asyncDispose]();
  }

  #track(socket: Socket): void {
    socket.setKeepAlive(true, keepAliveMs);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
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

function secureContext({ certificate, privateKey }: KeyPair): SecureContextOptions {
  return { cert: certificate, key: privateKey, minVersion: 'TLSv1.2' };
}

function podList(pods: readonly Stored<Pod>[], onlyRunning: boolean): object {
  const items = onlyRunning ? pods.filter(({ status }) => status?.phase === 'Running') : pods;
  return { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
}

function unreachable(fact: string): HttpRefusal {
  const reason = 'ServiceUnavailable';
  return new HttpRefusal(503, `Cannot reach the pod at the provider: ${fact}`, { reason });
}
