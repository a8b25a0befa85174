import { createHash } from 'node:crypto';
import { type Client, type Clock, TokenReview } from '@liqo/kube';
import type { Caller } from './caller.ts';
import { ReviewCache } from './review-cache.ts';

const ttlMs = 2 * 60_000;
const capacity = 1_000;
/** Longer than any token there is. */
const longestToken = 16_384;

/** Who bearers of tokens are: the API server says. */
export class TokenCallers {
  readonly #client: Client;
  readonly #cache: ReviewCache<Caller | undefined>;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#cache = new ReviewCache(clock, capacity);
  }

  /** Undefined when the token is nobody's; rejects when that could not be found out. */
  async find(token: string): Promise<Caller | undefined> {
    if (token.length > longestToken) return undefined;
    // Tokens are secrets: nothing here remembers one.
    const key = createHash('sha256').update(token).digest('base64');
    return this.#cache.get(key, async () => ({ value: await this.#review(token), ttlMs }));
  }

  async #review(token: string): Promise<Caller | undefined> {
    const { status } = await this.#client.create(TokenReview, { spec: { token } });
    const { username, uid, groups = [], extra } = status?.user ?? {};
    if (!status?.authenticated || !username) return undefined;
    return { name: username, uid, groups, extra };
  }
}

/** The token of an `Authorization` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}
