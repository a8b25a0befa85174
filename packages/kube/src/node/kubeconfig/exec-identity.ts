import { type Clock, deadline } from '../../clock.ts';
import { type ExecCredential, parseExecCredential } from './exec-credential.ts';
import { printExecInfo } from './exec-info.ts';
import type { ExecPlugin } from './exec-plugin.ts';
import { ExecPluginError } from './exec-plugin-error.ts';
import type { Identity } from './identity.ts';
import { isSameKeyPair } from './key-pair.ts';
import type { LiveValue } from './live-value.ts';
import { runExecPlugin } from './run-exec-plugin.ts';
import { SingleFlight } from './single-flight.ts';

/** The world a plugin runs in. */
export interface ExecSurroundings {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person sits at a terminal behind standard input. */
  readonly hasTerminal: boolean;
  readonly onMessage?: ((text: string) => void) | undefined;
  readonly timeoutMs?: number | undefined;
  /** What the plugin is told of the cluster, if it wants to know. */
  readonly describeCluster: () => Promise<Readonly<Record<string, unknown>>>;
}

const quietTimeoutMs = 60_000;
/** A person may have to find their second factor first. */
const interactiveTimeoutMs = 600_000;
/** A server that refuses whatever the plugin gives must not have it run all the time. */
const renewEveryMs = 10_000;

/** The identity that a plugin hands out: kept until it expires, and asked for once however many are waiting for it. */
export class ExecIdentity implements LiveValue<Identity> {
  readonly #plugin: ExecPlugin;
  readonly #surroundings: ExecSurroundings;
  readonly #runs = new SingleFlight<Identity>();
  #known: { readonly identity: Identity; readonly expiresAtMs: number } | undefined;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(plugin: ExecPlugin, surroundings: ExecSurroundings) {
    this.#plugin = plugin;
    this.#surroundings = surroundings;
  }

  async current(signal?: AbortSignal): Promise<Identity> {
    const known = this.#known;
    return known && this.#surroundings.clock.now() < known.expiresAtMs
      ? known.identity
      : this.#renew(signal);
  }

  async refresh(signal?: AbortSignal): Promise<Identity> {
    if (this.#runs.isFlying) return this.#renew(signal);
    const nowMs = this.#surroundings.clock.monotonicMs();
    if (nowMs - this.#renewedAtMs < renewEveryMs) return this.current(signal);
    this.#renewedAtMs = nowMs;
    return this.#renew(signal);
  }

  #renew(signal: AbortSignal | undefined): Promise<Identity> {
    return this.#runs.join((runSignal) => this.#run(runSignal), signal);
  }

  async #run(signal: AbortSignal): Promise<Identity> {
    const credential = parseExecCredential(this.#plugin, await this.#output(signal));
    const identity = this.#identityOf(credential);
    this.#known = { identity, expiresAtMs: credential.expiresAtMs };
    return identity;
  }

  async #output(signal: AbortSignal): Promise<string> {
    const { timeoutMs, clock } = this.#surroundings;
    const interactive = this.#isInteractive();
    const limitMs = timeoutMs ?? (interactive ? interactiveTimeoutMs : quietTimeoutMs);
    const { command } = this.#plugin;
    using limit = deadline(clock, limitMs, `exec plugin "${command}" took over ${limitMs} ms`);
    try {
      const run = await this.#prepareRun(interactive);
      return await runExecPlugin(this.#plugin, run, AbortSignal.any([signal, limit.signal]));
    } catch (cause) {
      if (!limit.signal.aborted) throw cause;
      throw new ExecPluginError(this.#plugin, `it took longer than ${limitMs} ms`, { cause });
    }
  }

  async #prepareRun(interactive: boolean) {
    const { env, onMessage, describeCluster } = this.#surroundings;
    const cluster = this.#plugin.provideClusterInfo ? await describeCluster() : undefined;
    const info = printExecInfo(this.#plugin, { interactive, cluster });
    return {
      env: { ...env, ...this.#plugin.env, KUBERNETES_EXEC_INFO: info },
      interactive,
      onMessage,
    };
  }

  #isInteractive(): boolean {
    const { interactiveMode } = this.#plugin;
    const { hasTerminal } = this.#surroundings;
    if (interactiveMode === 'Always' && !hasTerminal) {
      const reason = 'it must be run from a terminal, and standard input is none';
      throw new ExecPluginError(this.#plugin, reason);
    }
    return interactiveMode !== 'Never' && hasTerminal;
  }

  /** A plugin that gives the same certificate again gives no reason to open new connections. */
  #identityOf({ token, keyPair }: ExecCredential): Identity {
    const before = this.#known?.identity.keyPair;
    return {
      authorization: token && `Bearer ${token}`,
      keyPair: isSameKeyPair(before, keyPair) ? before : keyPair,
    };
  }
}
