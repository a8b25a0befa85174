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

export interface ComponentPlan {
  readonly name: ComponentName;
  /** Path of the executable. */
  readonly program: string;
  readonly flags: Readonly<Record<string, string>>;
  /** The folder of the cluster, guarded by its reaper: working directory, and home of log and registration. */
  readonly folder: string;
  /** Throws for as long as the component does not do its work. */
  readonly checkReady: () => Promise<void>;
}

const readyWithinMs = 60_000;
const tailLines = 20;

/** Registers with the reaper, then becomes the program: the pid stays the same, and no moment is left between the two. */
const registered = ': > "$0/$$" && exec "$@"';

/** One program of a cluster's control plane, and what a fault test may do to it. */
export class Component {
  readonly name: ComponentName;
  /** What the program wrote, over all its starts. */
  readonly logFile: string;
  readonly #plan: ComponentPlan;
  #process: ChildProcess | undefined;

  constructor(plan: ComponentPlan) {
    this.name = plan.name;
    this.logFile = join(plan.folder, `${plan.name}.log`);
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
    child.kill(how);
    this.resume();
    await exited;
  }

  /** The program hangs: connections stay open, nothing answers. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  #launch(onEnd: (how: string) => void): ChildProcess {
    const { program, flags, folder } = this.#plan;
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const log = openSync(this.logFile, 'a');
    const child = spawn('sh', ['-c', registered, join(folder, 'pids'), program, ...args], {
      cwd: folder,
      detached: true,
      env: { PATH: process.env.PATH },
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
