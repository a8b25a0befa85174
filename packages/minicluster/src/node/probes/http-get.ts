import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Container, HTTPGetAction } from 'kubernetes-types/core/v1.d.ts';
import { resolvePort } from './resolve-port.ts';

/** Where a request goes, and how it is told of: pods have addresses that only the cluster knows. */
export interface HttpTarget {
  readonly scheme: 'http' | 'https';
  /** As it is shown. */
  readonly host: string;
  /** Where it is reached from here. */
  readonly reachedAt: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string[]>>;
}

export interface HttpAnswer {
  readonly statusCode: number;
  /** Its beginning. */
  readonly body: string;
  readonly location: string | undefined;
}

const maxBodyLength = 10 * 1024;
const maxRedirects = 10;

/** Pods share the network of this process, so their ports are those of the local machine. */
export const localAddress = '127.0.0.1';

/** Throws when the port has no number. `purpose` is told to the server: `probe`, `lifecycle`. */
export function httpTarget(
  action: HTTPGetAction,
  container: Container,
  podIP: string,
  purpose: string,
): HttpTarget {
  const { scheme, host, path = '/', httpHeaders = [] } = action;
  return {
    scheme: scheme?.toUpperCase() === 'HTTPS' ? 'https' : 'http',
    host: host || podIP,
    reachedAt: host || localAddress,
    port: resolvePort(action.port, container),
    path: path.startsWith('/') ? path : `/${path}`,
    headers: completeHeaders(httpHeaders, purpose),
  };
}

function completeHeaders(
  given: readonly { readonly name: string; readonly value: string }[],
  purpose: string,
): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const { name, value } of given) {
    const key = name.toLowerCase();
    headers[key] = [...(headers[key] ?? []), value];
  }
  headers['user-agent'] ??= [`kube-${purpose}/1.35`];
  headers.accept ??= ['*/*'];
  if (headers.accept[0] === '') delete headers.accept;
  return headers;
}

/** Follows redirects that stay at the host; gives the last answer. Rejects in the words of a Go client. */
export async function httpGet(target: HttpTarget, signal: AbortSignal): Promise<HttpAnswer> {
  let at = target;
  for (let redirects = 0; ; redirects++) {
    const answer = await getOnce(at, signal);
    const next = redirectOf(at, answer);
    if (!next) return answer;
    if (redirects === maxRedirects) {
      throw new Error(`Get "${urlOf(next)}": stopped after ${maxRedirects} redirects`);
    }
    at = next;
  }
}

const redirecting: readonly number[] = [301, 302, 303, 307, 308];

function redirectOf(from: HttpTarget, { statusCode, location }: HttpAnswer) {
  if (!redirecting.includes(statusCode) || !location) return undefined;
  const to = new URL(location, urlOf(from));
  if (to.hostname !== from.host) return undefined;
  const scheme = to.protocol === 'https:' ? 'https' : 'http';
  const port = Number(to.port) || (scheme === 'https' ? 443 : 80);
  return { ...from, scheme, port, path: `${to.pathname}${to.search}` } as const;
}

function urlOf({ scheme, host, port, path }: HttpTarget): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}

function getOnce(target: HttpTarget, signal: AbortSignal): Promise<HttpAnswer> {
  const { scheme, reachedAt, port, path, headers } = target;
  const send = scheme === 'https' ? requestHttps : requestHttp;
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    host: reachedAt,
    port,
    path,
    headers: { host: `${target.host}:${port}`, ...headers },
    signal,
    agent: false,
    rejectUnauthorized: false,
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const fact = signal.aborted ? timedOut : describeFailure(error, target.host, port);
      reject(new Error(`Get "${urlOf(target)}": ${fact}`, { cause: error }));
    };
    const sent = send(options, (response) => {
      readBody(response).then(resolve, fail);
    });
    sent.on('error', fail);
    sent.end();
  });
}

const timedOut = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

async function readBody(response: IncomingMessage): Promise<HttpAnswer> {
  let body = '';
  for await (const chunk of response) {
    body += String(chunk);
    if (body.length >= maxBodyLength) break;
  }
  const { statusCode = 0, headers } = response;
  return { statusCode, body: body.slice(0, maxBodyLength), location: headers.location };
}

/** What a Go program says of a connection that failed. */
export function describeFailure(error: Error, host: string, port: number): string {
  const { code } = error as NodeJS.ErrnoException;
  const dial = `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (code === 'ECONNREFUSED') return `${dial}: connect: connection refused`;
  if (code === 'EHOSTUNREACH') return `${dial}: connect: no route to host`;
  if (code === 'ENETUNREACH') return `${dial}: connect: network is unreachable`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  return code === 'ECONNRESET' ? 'EOF' : error.message;
}
