import {
  type CallSignal,
  type InProcessAnswer,
  type InProcessServer,
  JsonContent,
  TransportError,
  type TransportRequest,
} from '@liqo/kube';
import type { ApiAnswer } from './rest/api-request.ts';
import type { ApiServer, Gatekeeper, IncomingRequest } from './rest/api-server.ts';

/** An API server as its callers see it. */
export type RequestHandler = Pick<ApiServer, 'handle'>;

/** A request that has reached the API server, over the network or in the process, and has had no effect yet. */
interface IncomingCall {
  /** Whom its credentials belong to, impersonation applied. */
  readonly user: string;
  readonly request: TransportRequest;
  /** Aborts when the caller is gone. */
  readonly signal: CallSignal;
}

/**
 * Stands before the API server: sees every call of everybody, the cluster's own parts included, and answers in its place
 * or lets it `handle` the call, once, twice or not at all. When it throws, the caller loses its connection without an
 * answer. Calls without good credentials do not come this far.
 */
export type CallInterceptor = (
  call: IncomingCall,
  handle: InProcessServer,
) => Promise<InProcessAnswer>;

/** The same server behind an interceptor. */
export function interceptCalls(
  server: RequestHandler,
  gatekeeper: Gatekeeper,
  intercept: CallInterceptor,
): RequestHandler {
  return {
    async handle(incoming) {
      const user = await gatekeeper.authenticate(incoming).catch(() => undefined);
      if (user === undefined) return server.handle(incoming);
      const { signal, peer } = incoming;
      const call = { user: user.name, request: incoming, signal };
      try {
        return apiAnswer(await intercept(call, serveAs(server, peer)));
      } catch (error) {
        throw signal.aborted ? error : connectionLost(error);
      }
    },
  };
}

function connectionLost(cause: unknown): TransportError {
  if (cause instanceof TransportError) return cause;
  return new TransportError('Cannot read the answer: the connection was cut', {
    sent: true,
    cause,
  });
}

/** A server for transports, which speak for `peer`. */
export function serveAs(server: RequestHandler, peer: IncomingRequest['peer']): InProcessServer {
  return async (request, signal) =>
    inProcessAnswer(await server.handle({ ...request, signal, peer }));
}

/** The content of an answer as it is sent. */
export function textOf(body: ApiAnswer['body']): string {
  if (body === undefined || typeof body === 'string') return body ?? '';
  return String(new JsonContent(body));
}

function inProcessAnswer({ status, headers, body, stream, upgraded }: ApiAnswer): InProcessAnswer {
  return {
    status,
    ...(headers && { headers }),
    ...((stream || body !== undefined) && { body: stream ?? contentOf(body) }),
    ...(upgraded && { stream: upgraded }),
  };
}

function apiAnswer({ status, headers, body, stream }: InProcessAnswer): ApiAnswer {
  return {
    status,
    ...(headers && { headers }),
    ...apiBody(body),
    ...(stream && { upgraded: stream }),
  };
}

function contentOf(body: unknown): string | JsonContent {
  return typeof body === 'string' ? body : new JsonContent(body);
}

function apiBody(body: InProcessAnswer['body']): Pick<ApiAnswer, 'body' | 'stream'> {
  if (body === undefined || typeof body === 'string') return { body };
  return body instanceof JsonContent ? { body: body.value } : { stream: body };
}
