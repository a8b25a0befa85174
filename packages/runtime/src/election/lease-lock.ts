import {
  type Client,
  type Clock,
  isConflict,
  Lease,
  type ObjectKey,
  type Stored,
  TransportError,
} from '@liqo/kube';
import { claimLease, durationMsOf, forgeLease, holderOf, releaseLease } from './lease-record.ts';

export interface LeaseLockOptions {
  readonly client: Client;
  readonly key: ObjectKey;
  /** Unique to this process: whoever writes the same identity is taken for the same process. */
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** How long one attempt may take, all its requests together. */
  readonly attemptTimeoutMs: number;
  readonly clock: Clock;
}

/** What was last known of the lease. */
interface Observation {
  readonly version: string;
  /** Absent when there was none. */
  readonly lease: Stored<Lease> | undefined;
  /** The last one known. */
  readonly holder: string | undefined;
  /** Until when somebody else may believe to hold it, on our own clock. */
  readonly expiresMs: number;
}

interface Attempt {
  readonly endsMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * One candidate's view of a Lease, and its attempts to hold it.
 *
 * Guaranteed, whatever the wall clocks show and however slow the answers are: a lease of another candidate is taken
 * only after it stood unchanged for its whole duration since *we* last saw it change, and only if it is still
 * unchanged when our write arrives. A holder that counts its time from `heldFromMs`, the moment before it *sent* its
 * newest write that took effect, is therefore done before anybody can follow.
 *
 * A lease that disappeared may have been anybody's until then: only its holder makes it anew at once, others wait.
 *
 * Assumed: clocks run at about the same rate, and nobody deletes the lease where no candidate can notice it: just before
 * a new one looks for it for the first time, or once more while others wait because it was deleted.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #seen: Observation | undefined;
  #heldFromMs: number | undefined;
  /** Writes without an answer: their `renewTime`, and when they were sent. */
  readonly #unconfirmed = new Map<string, number>();

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** When our newest write that took effect was sent, on the monotonic clock; undefined when the lease is not ours. */
  get heldFromMs(): number | undefined {
    return this.#heldFromMs;
  }

  /** Who held the lease when it was last seen. */
  get holder(): string | undefined {
    return this.#seen?.holder;
  }

  /**
   * Tries once to hold the lease, from now: renews ours, takes a free one, leaves a live one alone. What came of it is
   * in `heldFromMs`. It throws when it could not find out; `heldFromMs` may have moved on even then.
   */
  async claim(signal?: AbortSignal): Promise<void> {
    const halfMs = this.#options.attemptTimeoutMs / 2;
    const sentMs = this.#options.clock.monotonicMs();
    if (this.#isWrittenByUs() && (await this.#renewUnread(this.#attempt(halfMs, signal)))) return;
    const attempt = this.#attempt(halfMs, signal);
    await this.#read(attempt);
    const onlyAnswerLost = this.#heldFromMs !== undefined && this.#heldFromMs >= sentMs;
    if (!onlyAnswerLost && this.#mayTake()) await this.#write(attempt);
  }

  /** Gives the lease up if it is ours, so that the next candidate need not wait for it to run out. */
  async release(signal?: AbortSignal): Promise<void> {
    const attempt = this.#attempt(this.#options.attemptTimeoutMs, signal);
    // The version that we know is old if a renewal without an answer took effect.
    let isOutdated = this.#unconfirmed.size > 0;
    for (let tries = 3; ; tries -= 1) {
      try {
        if (isOutdated) await this.#read(attempt);
        return await this.#writeRelease(attempt);
      } catch (error) {
        const mayPass = isConflict(error) || (error instanceof TransportError && error.sent);
        if (tries === 1 || !mayPass) throw error;
        isOutdated ||= isConflict(error);
      }
    }
  }

  async #writeRelease(attempt: Attempt): Promise<void> {
    const lease = this.#seen?.lease;
    if (!lease || !this.#isWrittenByUs()) return;
    const { client, clock } = this.#options;
    const released = releaseLease(lease, clock.now());
    this.#observe(await client.update(Lease, released, this.#call(attempt)));
  }

  #isWrittenByUs(): boolean {
    return this.#seen?.lease !== undefined && this.#seen.holder === this.#options.identity;
  }

  /** Our own lease whenever we like: the server refuses if it is not ours any more. */
  #mayTake(): boolean {
    const { clock, leaseDurationMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const isStillOurs =
      this.#heldFromMs !== undefined && nowMs < this.#heldFromMs + leaseDurationMs;
    return this.#isWrittenByUs() || isStillOurs || nowMs >= (this.#seen?.expiresMs ?? 0);
  }

  /** The usual case in one request. False when it did not work out, for whatever reason: a read will tell. */
  async #renewUnread(attempt: Attempt): Promise<boolean> {
    try {
      await this.#write(attempt);
      return true;
    } catch (error) {
      if (attempt.signal?.aborted) throw error;
      return false;
    }
  }

  async #read(attempt: Attempt): Promise<void> {
    const { client, key } = this.#options;
    this.#observe(await client.get(Lease, key, this.#call(attempt)));
  }

  async #write(attempt: Attempt): Promise<void> {
    const { client, clock, key, identity, leaseDurationMs } = this.#options;
    const claim = { identity, leaseDurationMs, nowMs: clock.now() };
    const current = this.#seen?.lease;
    const next = current ? claimLease(current, claim) : forgeLease(key, claim);
    this.#remember(next.spec?.renewTime ?? '', clock.monotonicMs());
    const call = this.#call(attempt);
    this.#observe(
      await (current ? client.update(Lease, next, call) : client.create(Lease, next, call)),
    );
  }

  /** Every change that we see, disappearing included, gives somebody else a whole lease duration from now. */
  #observe(lease: Stored<Lease> | undefined): void {
    const before = this.#seen;
    const version = lease ? `${lease.metadata.uid}/${lease.metadata.resourceVersion}` : 'absent';
    if (before?.version === version) return;
    const holder = lease ? holderOf(lease) : before?.holder;
    const isFree = lease ? holder === undefined : before === undefined;
    const expiresMs = isFree ? 0 : this.#endOfLease(lease ?? before?.lease);
    this.#seen = { version, lease, holder, expiresMs };
    if (holder !== this.#options.identity) this.#heldFromMs = undefined;
    else if (lease) this.#confirm(lease.spec?.renewTime ?? '');
    this.#unconfirmed.clear();
  }

  #endOfLease(lease: Lease | undefined): number {
    const { clock, leaseDurationMs } = this.#options;
    return clock.monotonicMs() + (durationMsOf(lease ?? {}) ?? leaseDurationMs);
  }

  /** Also when it is a read that shows that a write took effect though its answer was lost. */
  #confirm(renewTime: string): void {
    this.#heldFromMs = this.#unconfirmed.get(renewTime) ?? this.#heldFromMs;
  }

  /**
   * The same time twice counts from the first one. What is older than a lease lasts is of no use to anybody: in a long
   * outage this does not grow.
   */
  #remember(renewTime: string, sentMs: number): void {
    for (const [time, ms] of this.#unconfirmed) {
      if (ms < sentMs - this.#options.leaseDurationMs) this.#unconfirmed.delete(time);
    }
    if (!this.#unconfirmed.has(renewTime)) this.#unconfirmed.set(renewTime, sentMs);
  }

  #attempt(timeoutMs: number, signal: AbortSignal | undefined): Attempt {
    return { endsMs: this.#options.clock.monotonicMs() + timeoutMs, signal };
  }

  #call({ endsMs, signal }: Attempt) {
    return { signal, timeoutMs: Math.max(0, endsMs - this.#options.clock.monotonicMs()) };
  }
}
