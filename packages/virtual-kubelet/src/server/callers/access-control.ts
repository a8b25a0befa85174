import { createHash } from 'node:crypto';
import { type Client, type Clock, SubjectAccessReview } from '@liqo/kube';
import type { Caller } from './caller.ts';
import type { NodeQuestion } from './node-question.ts';
import { ReviewCache } from './review-cache.ts';

const allowedTtlMs = 5 * 60_000;
const deniedTtlMs = 30_000;
const capacity = 1_000;

/** What callers may do at one node: the API server decides. */
export class AccessControl {
  readonly #client: Client;
  readonly #nodeName: string;
  readonly #cache: ReviewCache<boolean>;

  constructor(client: Client, clock: Clock, nodeName: string) {
    this.#client = client;
    this.#nodeName = nodeName;
    this.#cache = new ReviewCache(clock, capacity);
  }

  /** Rejects when it could not be found out. */
  async mayAsk(caller: Caller, { verb, subresources }: NodeQuestion): Promise<boolean> {
    for (const subresource of subresources) {
      if (await this.#may(caller, verb, subresource)) return true;
    }
    return false;
  }

  #may(caller: Caller, verb: string, subresource: string): Promise<boolean> {
    const key = keyOf(caller, verb, subresource);
    return this.#cache.get(key, async () => {
      const value = await this.#review(caller, verb, subresource);
      return { value, ttlMs: value ? allowedTtlMs : deniedTtlMs };
    });
  }

  async #review(caller: Caller, verb: string, subresource: string): Promise<boolean> {
    const { name: user, uid, groups, extra } = caller;
    const { status } = await this.#client.create(SubjectAccessReview, {
      spec: {
        user,
        groups: [...groups],
        ...(uid && { uid }),
        ...(extra && { extra: { ...extra } }),
        resourceAttributes: {
          verb,
          version: 'v1',
          resource: 'nodes',
          subresource,
          name: this.#nodeName,
        },
      },
    });
    return status?.allowed === true;
  }
}

/** Of one length, however many groups somebody is in; nobody can make another's. */
function keyOf({ name, uid, groups, extra }: Caller, verb: string, subresource: string): string {
  const all = JSON.stringify([name, uid, groups, extra, verb, subresource]);
  return createHash('sha256').update(all).digest('base64');
}
