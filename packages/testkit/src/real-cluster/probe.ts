import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { eventually } from '../eventually.ts';
import type { KeyPair } from './certificate-authority.ts';

/** An API server, and who to be there. */
export interface ApiServerAccess {
  readonly server: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  readonly identity: KeyPair;
}

/** Of one attempt. Everything here is asked again: a busy server may well need longer now and then. */
const answerWithinMs = 2_000;
const createdWithinMs = 60_000;

/**
 * Throws unless the API server answers 200. Uses nothing but Node: whether a cluster works must not be judged by the client
 * that is tested on it.
 */
export async function probeApiServer(access: ApiServerAccess, path: string): Promise<void> {
  await readApiServer(access, path);
}

/** The answer to a GET, parsed. */
export async function readApiServer(access: ApiServerAccess, path: string): Promise<unknown> {
  const body = await expectOk(httpsRequest(new URL(path, access.server), options(access)), path);
  return path.startsWith('/api') ? JSON.parse(body) : body;
}

/** Creates an object; it may be there already, also by an attempt whose answer was late. */
export async function createOnApiServer(
  access: ApiServerAccess,
  path: string,
  object: object,
  signal?: AbortSignal,
): Promise<void> {
  const wait = { timeoutMs: createdWithinMs, intervalMs: 100, ...(signal && { signal }) };
  await eventually(() => tryToCreate(access, path, object), wait);
}

async function tryToCreate(access: ApiServerAccess, path: string, object: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const request = httpsRequest(new URL(path, access.server), {
    ...options(access),
    method: 'POST',
    headers,
  });
  await expectOk(request, path, { body: JSON.stringify(object), statuses: [201, 409] });
}

function options(access: ApiServerAccess) {
  const { certificate: cert, privateKey: key } = access.identity;
  return { ca: access.ca, cert, key, agent: false, timeout: answerWithinMs };
}

/** Throws unless the server behind a Unix socket answers 200. */
export async function probeSocket(socketPath: string, path: string): Promise<void> {
  const request = httpRequest({ socketPath, path, agent: false, timeout: answerWithinMs });
  await expectOk(request, path);
}

/** Throws unless the server at this URL, which asks for no credentials, answers 200. */
export async function probeUrl(url: string): Promise<void> {
  await expectOk(httpRequest(url, { agent: false, timeout: answerWithinMs }), url);
}

async function expectOk(
  request: ClientRequest,
  path: string,
  { body = '', statuses = [200] }: { readonly body?: string; readonly statuses?: number[] } = {},
): Promise<string> {
  request.on('timeout', () => request.destroy(new Error(`no answer within ${answerWithinMs} ms`)));
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (statuses.includes(response.statusCode ?? 0)) return answer;
  throw new Error(`${path} answered ${response.statusCode}: ${answer.slice(0, 1_000)}`);
}
