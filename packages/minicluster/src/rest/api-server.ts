import { ApiError, type CallSignal, type TransportRequest } from '@liqo/kube';
import type { User } from '../auth/user.ts';
import type { ApiAnswer, ApiRequest } from './api-request.ts';
import { AskedBefore } from './asked-before.ts';
import { readContent } from './read-content.ts';
import { internalError, noSuchPath, tooLarge } from './refusal.ts';
import { handleResource } from './resource-handler.ts';
import type { ServerParts } from './server-parts.ts';

/** Who is asking, and whether they may: throws an `ApiError` when not. */
export interface Gatekeeper {
  /** The user behind a request's credentials, impersonation applied. */
  authenticate(request: IncomingRequest): Promise<User>;
  authorize(request: ApiRequest): Promise<void>;
}

/** A request as it arrives, over the network or in process. */
export interface IncomingRequest extends TransportRequest {
  readonly signal: CallSignal;
  /** Verified by TLS already; in process, whoever the transport speaks for. */
  readonly peer?: User | undefined;
  /** Where it came from, over the network. */
  readonly remoteAddress?: string | undefined;
}

/** Paths beside the resources: discovery, `/version`, `/healthz`, `/openapi`. Undefined when it has no such path. */
export type PathHandler = (request: ApiRequest) => Promise<ApiAnswer> | undefined;

/** As much as the real server reads of a request. */
const maxBodyBytes = 3 * 1024 * 1024;

/** The API server without a network: a request in, an answer out. Never throws: a refusal is an answer too. */
export class ApiServer {
  readonly #parts: ServerParts;
  readonly #gatekeeper: Gatekeeper;
  readonly #paths: readonly PathHandler[];
  readonly #askedBefore = new AskedBefore();

  constructor(parts: ServerParts, gatekeeper: Gatekeeper, paths: readonly PathHandler[]) {
    this.#parts = parts;
    this.#gatekeeper = gatekeeper;
    this.#paths = paths;
  }

  async handle(incoming: IncomingRequest): Promise<ApiAnswer> {
    const warnings = new Set<string>();
    const answer = await this.#answer(incoming, (warning) => warnings.add(warning));
    if (warnings.size === 0) return answer;
    return { ...answer, headers: { ...answer.headers, warning: warningHeader([...warnings]) } };
  }

  async #answer(incoming: IncomingRequest, warn: (warning: string) => void): Promise<ApiAnswer> {
    try {
      const request = await this.#read(incoming, warn);
      await this.#gatekeeper.authorize(request);
      return await this.#route(request);
    } catch (error) {
      return answerOf(error instanceof ApiError ? error : internalError(error));
    }
  }

  async #read(incoming: IncomingRequest, warn: (warning: string) => void): Promise<ApiRequest> {
    const user = await this.#gatekeeper.authenticate(incoming);
    const { method, signal } = incoming;
    const { info, query } = this.#askedBefore.read(method, incoming.path);
    // What is passed on to somebody else is theirs to read, and to find too large.
    const isPassedOn = info.resource?.subresource === 'proxy';
    const { body, headers } = readContent(isPassedOn ? { ...incoming, body: '' } : incoming);
    if (body.length > maxBodyBytes) throw tooLarge(maxBodyBytes);
    return { method, info, query, headers, body, user, signal, sent: incoming, warn };
  }

  async #route(request: ApiRequest): Promise<ApiAnswer> {
    const target = request.info.resource;
    const { registry } = this.#parts;
    const resource = target && registry.find(target.group, target.version, target.plural);
    if (target && resource) return handleResource(this.#parts, resource, request, target);
    for (const handle of this.#paths) {
      const answer = handle(request);
      if (answer) return answer;
    }
    throw noSuchPath();
  }
}

function answerOf(error: ApiError): ApiAnswer {
  const { code, reason, message, details, retryAfterMs } = error;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason && { reason }),
  };
  return {
    status: code,
    body: { ...status, ...(details && { details }), code },
    ...(retryAfterMs !== undefined && {
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
    }),
  };
}

function warningHeader(warnings: readonly string[]): string {
  const quoted = warnings.map((warning) => `299 - "${warning.replaceAll(/[\\"]/g, '\\$&')}"`);
  return quoted.join(', ');
}
