import { type Clock, DeadlineError, type Random } from '@liqo/kube';
import { keepAlive } from '../clock.ts';
import {
  type LeaderElection,
  type LeaderElectionOptions,
  startLeaderElection,
} from '../election/leader-election.ts';
import { LeadershipLostError } from '../election/leadership-term.ts';
import type { Logger } from '../log/log.ts';
import { settlesWithin } from '../settles-within.ts';
import { onExitSignals, type SignalSource } from './exit-signals.ts';
import type { HealthCheck, HealthChecks } from './health-checks.ts';
import { type ProcessPages, type ProcessPagesOptions, startProcessPages } from './process-pages.ts';
import type { Runnable } from './runnable.ts';
import { RunnableGroup } from './runnable-group.ts';

export interface ManagerOptions extends ProcessPagesOptions {
  readonly runnables: readonly Runnable[];
  readonly clock: Clock;
  readonly random: Random;
  /** Without it, what only a leader does starts at once. */
  readonly leaderElection?: Pick<
    LeaderElectionOptions,
    'client' | 'lease' | 'identity' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
  >;
  /** How long everything together has to stop. */
  readonly stopMs?: number;
  /** `process` when absent. */
  readonly signals?: SignalSource;
  /** What a second signal calls; ends the process when absent. */
  readonly exit?: (code: number) => void;
}

export interface Manager extends AsyncDisposable {
  /**
   * Settles when everything has stopped: resolves when that was asked for, rejects with the first failure, or with a
   * `DeadlineError` that names what did not stop in time. The process should exit then, with 0 or 1.
   */
  readonly done: Promise<void>;
  readonly healthPort: number | undefined;
  readonly metricsPort: number | undefined;
  /** Stops everything; `done` tells when it is through. */
  stop(reason: string): void;
}

/**
 * A process: its parts, started together and stopped together.
 *
 * It stops when it is told to (`stop`, dispose, SIGTERM, SIGINT), when a part fails, or when it no longer leads: what
 * ran under the lease may have left things in memory that a later leader must not find, so a new process is better than
 * a second term. First the leader's parts stop, while the lease is still held, and the lease is released; then the
 * other parts stop; the health pages last. A second signal does not wait for any of it.
 *
 * Rejects when a port cannot be listened on.
 */
export async function startManager(options: ManagerOptions): Promise<Manager> {
  const manager = new RunningManager(options);
  await manager.start();
  return manager;
}

const defaultStopMs = 30_000;

class RunningManager implements Manager {
  readonly done: Promise<void>;
  readonly #options: ManagerOptions;
  readonly #log: Logger;
  readonly #alive = keepAlive();
  readonly #group: RunnableGroup;
  /** Aborts the parts that only a leader runs, where there is no election; the election has signals of its own. */
  readonly #leading = new AbortController();
  readonly #everywhere = new AbortController();
  #leadersEnded = Promise.resolve();
  #othersEnded = Promise.resolve();
  #election: LeaderElection | undefined;
  #pages: ProcessPages | undefined;
  #signals: Disposable | undefined;
  #stopping = false;
  #failure: { readonly error: unknown } | undefined;
  #settle: () => void = () => undefined;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#group = new RunnableGroup(options.log, (error) => this.#fail(error));
    this.done = new Promise((resolve, reject) => {
      this.#settle = () => (this.#failure ? reject(this.#failure.error) : resolve());
    });
    // Whoever wants the failure awaits `done`; nobody has to.
    this.done.catch(() => undefined);
  }

  get healthPort(): number | undefined {
    return this.#pages?.healthPort;
  }

  get metricsPort(): number | undefined {
    return this.#pages?.metricsPort;
  }

  async start(): Promise<void> {
    try {
      this.#pages = await this.#startPages();
    } catch (error) {
      this.#alive[Symbol.dispose]();
      throw error;
    }
    this.#signals = onExitSignals(this.#options.signals ?? process, {
      onFirst: (signal) => this.stop(signal),
      onAgain: (signal) => this.#exitAtOnce(signal),
    });
    const { runnables } = this.#options;
    const others = runnables.filter((runnable) => !runnable.onlyLeader);
    this.#othersEnded = this.#group.run(others, this.#everywhere.signal);
    this.#startLeaders(runnables.filter((runnable) => runnable.onlyLeader));
  }

  stop(reason: string): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#log.info('Stopping', { reason });
    void this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop('disposed of');
    await this.done.catch(() => undefined);
  }

  #startPages(): Promise<ProcessPages> {
    const running = () => (this.#stopping ? 'the process is stopping' : undefined);
    const readyChecks = {
      running,
      ...readyChecksOf(this.#options.runnables),
      ...this.#options.readyChecks,
    };
    return startProcessPages({ ...this.#options, readyChecks });
  }

  #startLeaders(leaders: readonly Runnable[]): void {
    const { leaderElection, clock, random, log, metrics } = this.#options;
    if (!leaderElection) {
      this.#leadersEnded = this.#group.run(leaders, this.#leading.signal);
      return;
    }
    this.#election = startLeaderElection({
      ...leaderElection,
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      onStartedLeading: (signal, mayWrite) => this.#lead(leaders, signal, mayWrite),
    });
  }

  #lead(leaders: readonly Runnable[], signal: AbortSignal, mayWrite: () => boolean): Promise<void> {
    const onEnd = () => {
      if (signal.reason instanceof LeadershipLostError) this.#fail(signal.reason);
    };
    signal.addEventListener('abort', onEnd, { once: true });
    return this.#group.run(leaders, signal, mayWrite);
  }

  #fail(error: Error): void {
    this.#failure ??= { error };
    this.#log.error('A part of the process failed', { err: error });
    this.stop('failure');
  }

  async #end(): Promise<void> {
    const { clock, stopMs = defaultStopMs } = this.#options;
    const inTime = await settlesWithin(this.#stopInOrder(stopMs), clock, stopMs);
    if (!inTime) this.#failure ??= { error: this.#stillRunning(stopMs) };
    await this.#pages?.[Symbol.asyncDispose]();
    this.#signals?.[Symbol.dispose]();
    this.#alive[Symbol.dispose]();
    this.#log.info('Stopped', { inTime });
    this.#settle();
  }

  /** A leader's part that hangs leaves the others half of the time. */
  async #stopInOrder(stopMs: number): Promise<void> {
    const reason = new Error('The process is stopping');
    this.#leading.abort(reason);
    const leadersEnded = Promise.all([this.#leadersEnded, this.#election?.[Symbol.asyncDispose]()]);
    await settlesWithin(leadersEnded, this.#options.clock, stopMs / 2);
    this.#everywhere.abort(reason);
    await Promise.all([leadersEnded, this.#othersEnded]);
  }

  #stillRunning(stopMs: number): DeadlineError {
    const names = this.#group.running.map((name) => `"${name}"`);
    const who = names.length > 0 ? names.join(', ') : 'the election';
    const verb = names.length > 1 ? 'have' : 'has';
    return new DeadlineError(`Cannot stop within ${stopMs / 1000} s: ${who} ${verb} not ended`);
  }

  #exitAtOnce(signal: string): void {
    const { exit = (code: number) => process.exit(code) } = this.#options;
    this.#log.warn('Exiting at once', { reason: signal, running: this.#group.running });
    exit(1);
  }
}

function readyChecksOf(runnables: readonly Runnable[]): HealthChecks {
  const checks = runnables.flatMap((runnable): [string, HealthCheck][] =>
    runnable.whyNotReady ? [[runnable.name, () => runnable.whyNotReady?.()]] : [],
  );
  return Object.fromEntries(checks);
}
