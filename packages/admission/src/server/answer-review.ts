import { type Clock, deadline, oneLine } from '@liqo/kube';
import type { Logger } from '@liqo/runtime';
import { ReviewError, readReview } from '../review/admission-request.ts';
import { printReview } from '../review/print-review.ts';
import type { Rule } from '../rule.ts';

export interface ReviewAnswer {
  readonly status: number;
  readonly contentType: 'application/json' | 'text/plain';
  readonly body: string;
}

export interface ReviewerParts {
  readonly rules: readonly Rule[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** What Kubernetes allows at most. */
const longestTimeoutMs = 30_000;
/** For the answer to arrive before the API server stops waiting. */
const marginMs = 200;

/**
 * Answers calls of API servers. A body that is no review gets 400, and a rule that fails or takes too long gets 500: the API
 * server then follows the failure policy of the webhook. Never throws.
 */
export class Reviewer {
  readonly #parts: ReviewerParts;
  readonly #rules: ReadonlyMap<string, Rule>;

  constructor(parts: ReviewerParts) {
    this.#parts = parts;
    this.#rules = new Map(parts.rules.map((rule) => [rule.path, rule]));
  }

  /** `target` is that of the request line: a path, and the time that the API server gives, as `?timeout=10s`. */
  async answer(target: string, body: string): Promise<ReviewAnswer> {
    const { pathname, searchParams } = new URL(target, 'https://webhook');
    const rule = this.#rules.get(pathname);
    if (!rule) return plain(404, 'there is no such webhook');
    try {
      const timeoutMs = readTimeoutMs(searchParams.get('timeout'));
      return {
        status: 200,
        contentType: 'application/json',
        body: await this.#ask(rule, body, timeoutMs),
      };
    } catch (error) {
      if (error instanceof ReviewError) return plain(400, error.message);
      this.#parts.log.error('Cannot review a request', { path: pathname, err: error });
      return plain(500, error instanceof Error ? error.message : 'internal error');
    }
  }

  /** Whether there is a rule at the path of a request. */
  knows(target: string): boolean {
    return this.#rules.has(target.split('?', 1)[0] ?? '');
  }

  async #ask(rule: Rule, body: string, timeoutMs: number): Promise<string> {
    const request = readReview(body);
    using limit = deadline(this.#parts.clock, timeoutMs, `no verdict within ${timeoutMs} ms`);
    const verdict = await beforeAbort(limit.signal, async () => rule.review(request, limit.signal));
    return printReview(request, verdict);
  }
}

function beforeAbort<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    run().then(resolve, reject);
  });
}

/** The whole of it when it says nothing that can be read. */
function readTimeoutMs(text: string | null): number {
  const [, seconds = ''] = /^(\d{1,2})s$/.exec(text ?? '') ?? [];
  const givenMs = seconds === '' ? longestTimeoutMs : Number(seconds) * 1000;
  return Math.max(marginMs, Math.min(givenMs, longestTimeoutMs) - marginMs);
}

function plain(status: number, body: string): ReviewAnswer {
  return { status, contentType: 'text/plain', body: oneLine(body) };
}
