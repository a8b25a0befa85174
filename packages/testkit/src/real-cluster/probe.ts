import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KeyPair } from './certificate-authority.ts';

/** An API server, and who to be there. */
export interface ApiServerAccess {
  readonly server: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  readonly identity: KeyPair;
}

const answerWithinMs = 2_000;

/**
 * Throws unless the API server answers 200. Uses nothing but Node: whether a cluster works must not be judged by the client
 * that is tested on it.
 */
export function probeApiServer(access: ApiServerAccess, path: string): Promise<void> {
  const { certificate: cert, privateKey: key } = access.identity;
  const options = { ca: access.ca, cert, key, agent: false, timeout: answerWithinMs };
  return expectOk(httpsRequest(new URL(path, access.server), options), path);
}

/** Throws unless the server behind a Unix socket answers 200. */
export function probeSocket(socketPath: string, path: string): Promise<void> {
  const options = { socketPath, path, agent: false, timeout: answerWithinMs };
  return expectOk(httpRequest(options), path);
}

async function expectOk(request: ClientRequest, path: string): Promise<void> {
  request.on('timeout', () => request.destroy(new Error(`no answer within ${answerWithinMs} ms`)));
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) {
    throw new Error(`${path} answered ${response.statusCode}: ${body.slice(0, 1_000)}`);
  }
}
