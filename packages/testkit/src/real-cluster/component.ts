import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { ComponentError } from './component-error.ts';

export type ComponentName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler';

export interface ComponentPlan<Name extends string = string> {
  readonly name: Name;
  /** The executable and its first arguments, or a program that ends up executing it. */
  readonly command: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  /** The folder of the cluster, guarded by its reaper: working directory, and home of log and registration. */
  readonly folder: string;
  /** Name of the log, without its suffix, where the component's own is not enough to tell it from others. */
  readonly log?: string;
  /** What it finds in its environment; by default the search path for programs, and nothing else. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Throws for as long as the component does not do its work. */
  readonly checkReady: () => Promise<void>;
}

const readyWithinMs = 60_000;
const goneWithinMs = 60_000;
const tailLines = 20;

/** Registers with the reaper, then becomes the program: the pid stays the same, and no moment is left between the two. */
const registered = ': > "$0/$$" && exec "$@"';

/** One program of a cluster, and what a fault test may do to it. */
export class Component<Name extends string = string> {
  readonly name: Name;
  /** What the program wrote, over all its starts. */
  readonly logFile: string;
  readonly #plan: ComponentPlan<Name>;
  #process: ChildProcess | undefined;

  constructor(plan: ComponentPlan<Name>) {
    this.name = plan.name;
    this.logFile = join(plan.folder, `${plan.log ?? plan.name}.log`);
    this.#plan = plan;
  }

  /** Nothing while the program does not run. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the component does its work; fails with a `ComponentError` when it ends or stays silent instead. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#process) throw new Error(`Cannot start ${this.name}: it runs already`);
    const logStart = existsSync(this.logFile) ? statSync(this.logFile).size : 0;
    const ended = new AbortController();
    this.#process = this.#launch((how) => ended.abort(new Error(`it ended with ${how}`)));
    const signals = signal ? [ended.signal, signal] : [ended.signal];
    try {
      await eventually(this.#plan.checkReady, {
        timeoutMs: readyWithinMs,
        signal: AbortSignal.any(signals),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#explain(error, logStart);
    }
  }

  /** `SIGKILL` is a crash, `SIGTERM` an orderly end. Does nothing when it does not run. */
  async stop(how: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (!child) return;
    child.ref();
    const exited = once(child, 'exit');
    signalGroup(child.pid, how);
    signalGroup(child.pid, 'SIGCONT');
    await exited;
    await eventually(() => expectGroupGone(child.pid), { timeoutMs: goneWithinMs });
  }

  /** The program hangs: connections stay open, nothing answers. */
  pause(): void {
    signalGroup(this.pid, 'SIGSTOP');
  }

  resume(): void {
    signalGroup(this.pid, 'SIGCONT');
  }

  #launch(onEnd: (how: string) => void): ChildProcess {
    const { command, flags, folder, env = { PATH: process.env.PATH } } = this.#plan;
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const log = openSync(this.logFile, 'a');
    const child = spawn('sh', ['-c', registered, join(folder, 'pids'), ...command, ...args], {
      cwd: folder,
      detached: true,
      env,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const forget = (how: string) => {
      this.#process = undefined;
      rmSync(join(folder, 'pids', `${child.pid}`), { force: true });
      onEnd(how);
    };
    child.once('exit', (code, signal) => forget(signal ?? `exit code ${code}`));
    child.once('error', (error) => forget(error.message));
    child.unref();
    return child;
  }

  #explain(error: unknown, logStart: number): ComponentError {
    const fact = error instanceof Error ? error.message : String(error);
    const log = readFileSync(this.logFile).subarray(logStart).toString();
    const tail = log.trimEnd().split('\n').slice(-tailLines).join('\n');
    const failure = { component: this.name, fact, logFile: this.logFile, tail };
    return new ComponentError(failure, { cause: error });
  }
}

/** A program leads a group; what it started itself, or what executes it in a namespace, is in the group too. */
function signalGroup(leader: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (leader === undefined) return false;
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function expectGroupGone(leader: number | undefined): void {
  if (signalGroup(leader, 0)) throw new Error(`Process group ${leader} has members`);
}
