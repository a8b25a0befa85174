import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, Clock } from '@liqo/kube';
import { readLog } from '../containers/read-log.ts';
import { parseLogRequest, selectLog } from './container-logs.ts';
import { findContainer, findPod, type PodDirectory } from './find-container.ts';
import { HttpRefusal } from './http-refusal.ts';
import { mayAsk, nodeQuestion } from './may-ask.ts';
import { peerUser } from './peer-user.ts';
import { resourceMetrics } from './resource-metrics.ts';
import { findStreamTask, isStreamPath } from './serve-streams.ts';
import { statsSummary } from './stats-summary.ts';
import { switchProtocol } from './switch-protocol.ts';
import { WrittenFiles } from './written-files.ts';

/** What the endpoint proves itself with, and whom it believes. All as PEM. */
export interface ServingCredentials {
  readonly certificate: string;
  readonly privateKey: string;
  /** The authority of client certificates; without one, only bearer tokens count. */
  readonly clientCa?: string;
}

export interface KubeletServerOptions {
  /** Asked about tokens and rights. */
  readonly client: Client;
  readonly clock: Clock;
  readonly nodeName: string;
  readonly address: string;
  readonly pods: PodDirectory;
  readonly serving: ServingCredentials;
}

/** The HTTPS endpoint of a kubelet: logs, streams and statistics for whoever may ask for them. */
export class KubeletServer implements AsyncDisposable {
  readonly #options: KubeletServerOptions;
  readonly #server: Server;
  readonly #streams = new Set<Duplex>();
  readonly #written = new WrittenFiles();
  readonly #startedMs: number;

  constructor(options: KubeletServerOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
    const { certificate, privateKey, clientCa } = options.serving;
    this.#server = createServer({
      cert: certificate,
      key: privateKey,
      ...(clientCa && { ca: clientCa }),
      requestCert: true,
      rejectUnauthorized: false,
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      void this.#upgrade(request, socket, head);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, this.#options.address, resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = await this.#admit(request);
      await this.#answer(url, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, refusalOf(error));
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#streams.add(socket);
    socket.on('close', () => this.#streams.delete(socket));
    socket.on('error', () => socket.destroy());
    try {
      const url = await this.#admit(request);
      const { pods, clock } = this.#options;
      const parts = { pods, clock, written: this.#written };
      switchProtocol(request, socket, head, findStreamTask(parts, url));
    } catch (error) {
      const { status, message } = refusalOf(error);
      const length = Buffer.byteLength(message);
      const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${length}`;
      socket.end(`${head}\r\nConnection: close\r\n\r\n${message}`);
    }
  }

  /** Throws unless the peer is known and may ask this. */
  async #admit(request: IncomingMessage): Promise<URL> {
    const { client, nodeName } = this.#options;
    const url = new URL(request.url ?? '/', 'https://kubelet');
    const user = await peerUser(request, client);
    if (!user) throw new HttpRefusal(401, 'Unauthorized');
    const question = nodeQuestion(request.method ?? 'GET', url.pathname);
    if (await mayAsk(client, user, nodeName, question)) return url;
    const { verb, subresources } = question;
    const what = `verb=${verb}, resource=nodes, subresource(s)=[${subresources.join(' ')}]`;
    throw new HttpRefusal(403, `Forbidden (user=${user.name}, ${what})`);
  }

  async #answer(url: URL, response: ServerResponse): Promise<void> {
    const { pods, clock, nodeName } = this.#options;
    const [, head] = url.pathname.split('/');
    const node = { nodeName, startedMs: this.#startedMs, nowMs: clock.now() };
    if (head === 'containerLogs') return this.#sendLog(url, response);
    if (url.pathname === '/healthz') return send(response, 'text/plain; charset=utf-8', 'ok');
    if (url.pathname === '/stats/summary')
      return sendJson(response, statsSummary(pods.all(), node));
    if (url.pathname === '/metrics/resource') {
      const text = resourceMetrics(pods.all(), node.nowMs);
      return send(response, 'text/plain; version=0.0.4; charset=utf-8', text);
    }
    if (url.pathname === '/pods' || url.pathname === '/pods/') {
      return sendJson(response, podList(pods));
    }
    if (isStreamPath(url.pathname)) throw new HttpRefusal(500, 'Upgrade request required');
    throw new HttpRefusal(404, '404 page not found');
  }

  async #sendLog(url: URL, response: ServerResponse): Promise<void> {
    const { pods, clock } = this.#options;
    const [, , namespace = '', name = '', container = ''] = url.pathname.split('/');
    const query = parseLogRequest(url.searchParams, clock);
    const runner = findContainer(findPod(pods, namespace, name), container);
    const log = selectLog(name, runner, query.previous);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    // A reader who leaves in the middle is nobody's fault.
    await pipeline(readLog(log, query, gone.signal), response).catch(() => undefined);
  }
}

function podList(pods: PodDirectory): object {
  const items = [...pods.all()].map(({ pod, status }) => ({ ...pod, status }));
  return { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
}

function sendJson(response: ServerResponse, body: object): void {
  send(response, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

function refuse(response: ServerResponse, { status, message }: HttpRefusal): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
}

function refusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  return new HttpRefusal(500, error instanceof Error ? error.message : String(error));
}
