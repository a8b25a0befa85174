import type { IncomingRequest } from '../rest/api-server.ts';
import { unauthorized } from '../rest/refusal.ts';
import type { ServiceAccountTokens, TokenVerdict } from './tokens/service-account-tokens.ts';
import { asAuthenticated, type User } from './user.ts';

/** Tokens that are good for as long as the cluster lives, and whose they are. */
export type StaticTokens = ReadonlyMap<string, User>;

/** Finds out who sent a request: the peer of its connection, or the bearer of its token. Nobody is anonymous. */
export class Authenticator {
  readonly #tokens: ServiceAccountTokens;
  readonly #staticTokens: StaticTokens;

  constructor(tokens: ServiceAccountTokens, staticTokens: StaticTokens = new Map()) {
    this.#tokens = tokens;
    this.#staticTokens = staticTokens;
  }

  /** Refuses whoever it does not recognise. A certificate counts before a token. */
  authenticate({ peer, headers = {} }: IncomingRequest): User {
    if (peer) return asAuthenticated(peer);
    const token = bearerToken(headers.authorization ?? '');
    const verdict = token === undefined ? undefined : this.authenticateToken(token);
    if (verdict && 'user' in verdict) return verdict.user;
    throw unauthorized();
  }

  /** Whose a token is, if it is meant for one of the audiences; those of the API server when none are given. */
  authenticateToken(token: string, audiences: readonly string[] = []): TokenVerdict {
    const wanted = audiences.length > 0 ? audiences : this.#tokens.audiences;
    const verdict = this.#verifyStatic(token, wanted) ?? this.#tokens.verify(token, wanted);
    if (!verdict) return { fault: 'invalid bearer token' };
    if ('user' in verdict) return { ...verdict, user: asAuthenticated(verdict.user) };
    return { fault: `[invalid bearer token, ${verdict.fault}]` };
  }

  #verifyStatic(token: string, wanted: readonly string[]): TokenVerdict | undefined {
    const user = this.#staticTokens.get(token);
    const audiences = wanted.filter((audience) => this.#tokens.audiences.includes(audience));
    return user && audiences.length > 0 ? { user, audiences } : undefined;
  }
}

function bearerToken(authorization: string): string | undefined {
  const [scheme = '', token] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token ? token : undefined;
}
