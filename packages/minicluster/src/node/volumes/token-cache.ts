import type { Client, Clock } from '@liqo/kube';

type TokenSpec = Parameters<Client['createToken']>[1];

interface HeldToken {
  readonly token: string;
  readonly renewMs: number;
  readonly endMs: number;
}

/** A token is renewed when a fifth of its life is left, and after a day at the latest. */
const renewedAt = 0.8;
const longestMs = 24 * 3_600_000;

/** The tokens of a pod, asked for again when they grow old. */
export class TokenCache {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #held = new Map<string, HeldToken>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Rejects when there is none to be had and the one before has run out. */
  async get(
    account: { readonly namespace: string; readonly name: string },
    spec: TokenSpec,
    signal: AbortSignal,
  ): Promise<string> {
    const id = JSON.stringify([account, spec]);
    const held = this.#held.get(id);
    if (held && this.#clock.now() < held.renewMs) return held.token;
    try {
      const fresh = await this.#request(account, spec, signal);
      this.#held.set(id, fresh);
      return fresh.token;
    } catch (error) {
      if (held && this.#clock.now() < held.endMs) return held.token;
      throw error;
    }
  }

  async #request(
    account: { readonly namespace: string; readonly name: string },
    spec: TokenSpec,
    signal: AbortSignal,
  ): Promise<HeldToken> {
    const issued = await this.#client.createToken(account, spec, signal);
    const { token = '', expirationTimestamp } = issued.status ?? {};
    const nowMs = this.#clock.now();
    const endMs = expirationTimestamp ? Date.parse(expirationTimestamp) : nowMs;
    const renewMs = nowMs + Math.min((endMs - nowMs) * renewedAt, longestMs);
    return { token, renewMs, endMs };
  }
}
