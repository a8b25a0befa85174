import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Reviewer } from './answer-review.ts';

/** What the server proves itself with, both as PEM. */
export interface ServingPair {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface WebhookServerOptions {
  readonly reviewer: Reviewer;
  /** All addresses when absent. */
  readonly host?: string;
  /** Zero for any that is free. */
  readonly port: number;
}

/** A review has the object twice, and etcd stores 1.5 MiB of it at most. */
const longestBody = 8 * 1024 * 1024;
const requestTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;
/** Longer than an API server keeps a connection that it does not use: the client should be the one that closes it. */
const keepAliveTimeoutMs = 120_000;
const tlsVersion = 'TLSv1.2';

/**
 * The HTTPS endpoint that API servers call. It accepts connections once it has a certificate; another one is for connections
 * that come later, and requests under way are not disturbed.
 */
export class WebhookServer implements AsyncDisposable {
  readonly #options: WebhookServerOptions;
  readonly #server: Server;

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#server = createServer({
      requestTimeout: requestTimeoutMs,
      handshakeTimeout: handshakeTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      minVersion: tlsVersion,
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  show({ certificate, privateKey }: ServingPair): void {
    this.#server.setSecureContext({ cert: certificate, key: privateKey, minVersion: tlsVersion });
  }

  listen(): Promise<void> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(new Error(`Cannot serve webhooks at port ${port}: ${cause.message}`, { cause }));
      this.#server.once('error', fail);
      this.#server.listen({ port, ...(host !== undefined && { host }) }, () => {
        this.#server.off('error', fail);
        resolve();
      });
    });
  }

  /** Requests under way are answered; nothing new is accepted. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const target = request.url ?? '';
      if (!this.#options.reviewer.knows(target))
        return end(response, 404, 'there is no such webhook');
      if (request.method !== 'POST') return end(response, 405, 'reviews are posted');
      const body = await readBody(request);
      if (body === undefined)
        return end(response, 413, `a review has ${longestBody} bytes at most`);
      const answer = await this.#options.reviewer.answer(target, body);
      // Connections outlive a stop otherwise: the server waits for them.
      if (!this.#server.listening) response.setHeader('connection', 'close');
      end(response, answer.status, answer.body, answer.contentType);
    } catch {
      // The caller has gone, or has broken off its request.
      response.destroy();
    }
  }
}

function end(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
    ...(status === 413 && { connection: 'close' }),
  });
  response.end(body);
}

/** Undefined for a body that is too long; what is left of it is not read. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
