import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import { TransportError } from '../transport.ts';
import { failureReason } from './failure-reason.ts';
import { lookupUnreserved } from './guarded-lookup.ts';
import { hostOf } from './host-of.ts';
import type { Permission } from './kubeconfig/kubeconfig-trust.ts';

export interface DialOptions {
  readonly server: URL;
  readonly proxyUrl: URL | undefined;
  /** `allowed` when absent. */
  readonly reservedAddresses?: Permission;
  readonly tls: ConnectionOptions;
  /** Protocols to offer, best first. */
  readonly alpn: readonly string[];
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** Any of them ends the attempt, with its reason. */
  readonly signals?: readonly AbortSignal[];
  /** Begins to open a connection. */
  readonly open?: (to: TcpTarget) => Socket;
}

interface TcpTarget {
  readonly host: string;
  readonly port: number;
  readonly lookup?: LookupFunction;
}

/** How often the kernel asks an idle peer whether it is still there. */
const keepAliveMs = 15_000;
/**
 * A kernel repeats a lost greeting after 1, 2, 4, 8 seconds, and longer. Begun anew it is never more than two seconds until
 * the next one, so that a peer that is back is met soon.
 */
const attemptMs = 5_000;

/** Opens a connection to an API server: directly or through a proxy, encrypted unless the URL says `http:`. */
export async function dial(options: DialOptions): Promise<Socket | TLSSocket> {
  const { server, clock, signals = [], timeoutMs = 15_000 } = options;
  const abort = new AbortController();
  const timer = clock.after(timeoutMs, () => {
    abort.abort(unreachable(options, `no connection within ${timeoutMs / 1000} s`));
  });
  const onAbort = () => abort.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  try {
    const socket = await openTcp(options, abort.signal);
    return server.protocol === 'http:' ? socket : await encrypt(socket, options, abort.signal);
  } catch (cause) {
    if (abort.signal.aborted) throw abort.signal.reason;
    throw unreachable(options, failureReason(cause), cause);
  } finally {
    timer.cancel();
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }
}

/** Nothing was sent to the server. */
export function unreachable(
  { server, proxyUrl }: Pick<DialOptions, 'server' | 'proxyUrl'>,
  reason: string,
  cause?: unknown,
): TransportError {
  const via = proxyUrl ? ` through the proxy ${proxyUrl.host}` : '';
  const message = `Cannot reach ${server.origin}${via}: ${reason}`;
  return new TransportError(message, { sent: false, cause });
}

async function openTcp(options: DialOptions, signal: AbortSignal): Promise<Socket> {
  const { server, proxyUrl } = options;
  const socket = proxyUrl
    ? await tunnel(
        targetOf(proxyUrl, options),
        proxyUrl,
        `${server.hostname}:${portOf(server)}`,
        signal,
      )
    : await greet(options, signal);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  return socket;
}

/** One attempt after the other, until somebody answers or the signal aborts. */
async function greet(options: DialOptions, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    const socket = await greetOnce(options, signal);
    if (socket) return socket;
  }
}

/** Nothing if nobody has answered in time. */
async function greetOnce(options: DialOptions, signal: AbortSignal): Promise<Socket | undefined> {
  signal.throwIfAborted();
  const { server, clock, open = connectTcp } = options;
  const attempt = new AbortController();
  const onAbort = () => attempt.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = clock.after(attemptMs, () => attempt.abort());
  const socket = open(targetOf(server, options));
  try {
    await established(socket, 'connect', !socket.connecting, attempt.signal);
    return socket;
  } catch (error) {
    if (signal.aborted || !attempt.signal.aborted) throw error;
    return undefined;
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

async function encrypt(
  socket: Socket,
  options: DialOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const host = hostOf(options.server);
  const tlsSocket = connectTls({
    ...options.tls,
    socket,
    host,
    // TLS forbids an address as server name; the certificate is checked against it all the same.
    ...(!options.tls.servername && !isIP(host) && { servername: host }),
    ALPNProtocols: [...options.alpn],
  });
  await established(tlsSocket, 'secureConnect', false, signal);
  return tlsSocket;
}

/** Resolves on the event; when it fails or the signal aborts, the socket is destroyed. */
function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  already: boolean,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      socket.off(event, onEvent).off('error', settle).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      if (error === undefined) return resolve();
      socket.on('error', ignoreLateError).destroy();
      reject(error);
    };
    const onEvent = () => settle();
    const onClose = () => settle(new Error('the server closed the connection'));
    const onAbort = () => settle(signal.reason);
    if (signal.aborted) return settle(signal.reason);
    if (already) return resolve();
    socket.once(event, onEvent).once('error', settle).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** The promise has already told the caller; without a listener a second error would end the process. */
function ignoreLateError(): void {}

/** A TCP connection to `target` through an HTTP proxy's CONNECT. */
function tunnel(
  via: TcpTarget,
  proxyUrl: URL,
  target: string,
  signal: AbortSignal,
): Promise<Socket> {
  const request = proxyUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers: Record<string, string> = { host: target };
  if (proxyUrl.username) headers['proxy-authorization'] = basicCredentials(proxyUrl);
  return new Promise((resolve, reject) => {
    const connect = request({
      ...via,
      method: 'CONNECT',
      path: target,
      headers,
      agent: false,
      signal,
    });
    connect.once('connect', (response, socket: Duplex) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) return resolve(socket as Socket);
      socket.destroy();
      reject(new Error(`the proxy answered ${statusCode}`));
    });
    connect.once('response', (response) => {
      response.resume();
      reject(new Error(`the proxy answered ${response.statusCode}`));
    });
    connect.once('error', reject).end();
  });
}

function basicCredentials({ username, password }: URL): string {
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(plain).toString('base64')}`;
}

function targetOf(url: URL, { reservedAddresses }: DialOptions): TcpTarget {
  const target = { host: hostOf(url), port: portOf(url) };
  return reservedAddresses === 'forbidden' ? { ...target, lookup: lookupUnreserved } : target;
}

function portOf(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}
