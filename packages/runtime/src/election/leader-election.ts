import { type Client, type Clock, keyString, type Random, sleep } from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import { LeadershipTerm, type LeaderWork } from './leadership-term.ts';
import { LeaseLock } from './lease-lock.ts';

export interface LeadershipObserver {
  /** `leader_election_master_status` */
  leading(name: string, leads: boolean): void;
}

export interface LeaderElectionOptions {
  /** Better one of its own: renewals must not queue behind other requests. */
  readonly client: Client;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Unique to this process, such as host name and a random part. */
  readonly identity: string;
  /** How long the others wait after the last renewal that they saw. */
  readonly leaseDurationMs?: number;
  /** How long after its last renewal a leader stops its work. The rest of the lease is for the work to end. */
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  /** How often those that wait look at the lease, at least; as often as a leader renews it when absent. */
  readonly acquirePeriodMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: LeadershipObserver;
  /** Called each time this candidate becomes leader. If it fails, the election ends. */
  readonly onStartedLeading: LeaderWork;
  /** Called when the work of a leader has ended. */
  readonly onStoppedLeading?: () => void;
  readonly onNewLeader?: (identity: string) => void;
}

export interface LeaderElection extends AsyncDisposable {
  /** Whether this candidate may act as leader at this moment, by the clock. */
  isLeader(): boolean;
  /** Who led when the lease was last looked at. */
  leader(): string | undefined;
  /** Settles when the election has ended for this candidate; rejects with what the leader's work failed with. */
  readonly done: Promise<void>;
}

/**
 * Runs for leader on a Lease, with the same records and default times as client-go, beside whose candidates it can run.
 *
 * Flow: as soon as the lease is ours, the work starts. While it runs, the lease is renewed. When it could not be renewed
 * until `renewDeadlineMs` after the last renewal was *sent*, or belongs to somebody else, or the election is disposed of,
 * the work's signal aborts. The lease goes on being renewed, if that is possible, until the work has ended. Then it is
 * released (when disposed of or failed), or the next attempt to lead begins.
 *
 * Guarantee: `isLeader` is true for at most one candidate at any moment, and a term starts only when it is true for no
 * other one; wall clocks may show any time, requests and answers may be lost or late, event loops may stand still. The
 * signal aborts at the same moment, or, if the event loop stands still then, soon after it moves again: `fenceClient`
 * keeps writes from leaving the process in between. A request that has left the process may still arrive: the time between
 * `renewDeadlineMs` and `leaseDurationMs` is for it. For the assumptions see `LeaseLock`; that clocks do not stand still
 * while a machine sleeps is one more.
 *
 * Nothing is remembered: a restarted process is a new candidate.
 */
export function startLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const {
    leaseDurationMs = 15_000,
    renewDeadlineMs = 10_000,
    retryPeriodMs = 2_000,
    acquirePeriodMs = retryPeriodMs,
    ...rest
  } = options;
  const settings = { ...rest, leaseDurationMs, renewDeadlineMs, retryPeriodMs, acquirePeriodMs };
  checkTimes(settings);
  return new RunningElection(settings);
}

type Settings = LeaderElectionOptions & Times;
type Times = Required<
  Pick<
    LeaderElectionOptions,
    'acquirePeriodMs' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
  >
>;

/** How much longer than the period a candidate may wait, by chance, as in client-go. */
const acquireSpread = 1.2;

class RunningElection implements LeaderElection {
  readonly done: Promise<void>;
  readonly #settings: Settings;
  readonly #lock: LeaseLock;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #term: LeadershipTerm | undefined;
  #failing = false;
  #reported: string | undefined;

  constructor(settings: Settings) {
    const { client, clock, identity, lease, leaseDurationMs, renewDeadlineMs } = settings;
    const attemptTimeoutMs = renewDeadlineMs / 2;
    const key = lease;
    this.#settings = settings;
    this.#log = settings.log.with({ lease: keyString(lease), identity });
    this.#lock = new LeaseLock({ client, clock, key, identity, leaseDurationMs, attemptTimeoutMs });
    settings.metrics?.leading(lease.name, false);
    this.done = this.#run();
    // Whoever wants the failure awaits `done`; nobody has to.
    this.done.catch(() => undefined);
  }

  isLeader(): boolean {
    return this.#term?.leads ?? false;
  }

  leader(): string | undefined {
    return this.#lock.holder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('The election was ended'));
    await this.done.catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      while (await this.#acquire()) await this.#lead();
    } finally {
      await this.#release();
    }
  }

  /** False when the election was ended first. */
  async #acquire(): Promise<boolean> {
    const { clock, random, acquirePeriodMs } = this.#settings;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#claim(signal);
      if (signal.aborted) break;
      if (clock.monotonicMs() < this.#authorityEndsMs()) return true;
      await this.#pause(acquirePeriodMs * (1 + acquireSpread * random()), signal);
    }
    return false;
  }

  async #lead(): Promise<void> {
    const { onStoppedLeading, onStartedLeading, retryPeriodMs, random } = this.#settings;
    const term = this.#beginTerm();
    const onStop = () => term.end(this.#stopping.signal.reason);
    this.#stopping.signal.addEventListener('abort', onStop, { once: true });
    if (this.#stopping.signal.aborted) onStop();
    term.begin(onStartedLeading);
    while (!term.over.aborted) {
      await this.#pause(retryPeriodMs * (1 - 0.1 * random()), term.over);
      term.endIfLate();
      if (!term.over.aborted) await this.#renew(term);
    }
    this.#stopping.signal.removeEventListener('abort', onStop);
    this.#term = undefined;
    onStoppedLeading?.();
    if (term.failure) throw term.failure.error;
  }

  #beginTerm(): LeadershipTerm {
    const { clock, lease, metrics } = this.#settings;
    const term = new LeadershipTerm(
      clock,
      () => this.#authorityEndsMs(),
      () => {
        metrics?.leading(lease.name, false);
        this.#log.info('Stopped leading');
      },
    );
    this.#term = term;
    metrics?.leading(lease.name, true);
    this.#log.info('Started leading');
    return term;
  }

  async #renew(term: LeadershipTerm): Promise<void> {
    await this.#claim(term.over);
    if (this.#lock.heldFromMs !== undefined) return term.endIfLate();
    const holder = this.leader();
    if (term.ended && !term.over.aborted)
      this.#log.error('The work of a former leader has not ended yet', { holder });
    term.lose(`"${holder}" holds the lease`);
  }

  #authorityEndsMs(): number {
    const { heldFromMs = Number.NEGATIVE_INFINITY } = this.#lock;
    return heldFromMs + this.#settings.renewDeadlineMs;
  }

  /** Logs the first of a row of failures. */
  async #claim(signal: AbortSignal): Promise<void> {
    try {
      await this.#lock.claim(signal);
      this.#failing = false;
    } catch (err) {
      if (signal.aborted) return;
      if (!this.#failing) this.#log.warn('Cannot claim the lease, trying again', { err });
      this.#failing = true;
    }
    this.#reportLeader();
  }

  #reportLeader(): void {
    const leader = this.leader();
    if (leader === undefined || leader === this.#reported) return;
    this.#reported = leader;
    this.#settings.onNewLeader?.(leader);
  }

  async #release(): Promise<void> {
    try {
      await this.#lock.release();
    } catch (err) {
      this.#log.warn('Cannot release the lease, it runs out by itself', { err });
    }
  }

  /** Ends early, and quietly, when the signal aborts. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(this.#settings.clock, ms, signal).catch(() => undefined);
  }
}

function checkTimes(settings: Settings): void {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = settings;
  const cannot = `Cannot elect a leader by lease "${keyString(settings.lease)}"`;
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new RangeError(
      `${cannot}: a leader has to stop (renewDeadlineMs ${renewDeadlineMs}) before its lease ends (leaseDurationMs ${leaseDurationMs})`,
    );
  }
  if (renewDeadlineMs <= retryPeriodMs) {
    throw new RangeError(
      `${cannot}: a leader has to renew (retryPeriodMs ${retryPeriodMs}) before it has to stop (renewDeadlineMs ${renewDeadlineMs})`,
    );
  }
}
