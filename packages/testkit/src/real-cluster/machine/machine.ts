import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Component } from '../component.ts';
import { type CommandOptions, runCommand } from './run-command.ts';

interface MachinePlan {
  readonly name: string;
  /** The folder of the cluster. */
  readonly folder: string;
}

/**
 * Namespaces of the kernel, held by a process: programs in them have a network of their own, and in a whole computer
 * also processes and mounts. They exist while that process does. Nothing of them has a name outside.
 */
export class Machine {
  readonly #holder: Component;
  readonly #namespaces: readonly Namespace[];
  readonly #upFile: string;

  constructor(holder: Component, namespaces: readonly Namespace[], upFile: string) {
    this.#holder = holder;
    this.#namespaces = namespaces;
    this.#upFile = upFile;
  }

  get pid(): number {
    const { pid } = this.#holder;
    if (pid === undefined) throw new Error(`Cannot enter ${this.#holder.name}: it is down`);
    return pid;
  }

  get isUp(): boolean {
    return this.#holder.pid !== undefined;
  }

  async start(signal?: AbortSignal): Promise<void> {
    rmSync(this.#upFile, { force: true });
    await this.#holder.start(signal);
  }

  /** A power cut: no process in it does another step. */
  stop(): Promise<void> {
    return this.#holder.stop('SIGKILL');
  }

  /** The beginning of a command line whose rest is executed inside. */
  get entrance(): readonly string[] {
    return ['nsenter', ...this.#namespaces.map((namespace) => enterFlag(namespace, this.pid))];
  }

  run(command: readonly string[], options?: CommandOptions): Promise<string> {
    return runCommand([...this.entrance, ...command], options);
  }

  /** Runs lines of `ip`, each without that word, up to the first that fails. */
  async ip(...lines: readonly string[]): Promise<void> {
    await this.run(['ip', '-batch', '-'], { input: `${lines.join('\n')}\n` });
  }
}

type Namespace = 'net' | 'mount' | 'uts' | 'ipc' | 'pid';

/** The holder is outside the namespace of processes it made: its children are inside. */
function enterFlag(namespace: Namespace, pid: number): string {
  const files = { net: 'net', mount: 'mnt', uts: 'uts', ipc: 'ipc', pid: 'pid_for_children' };
  return `--${namespace}=/proc/${pid}/ns/${files[namespace]}`;
}

/** A network, and nothing else. */
export function forgeNetwork({ name, folder }: MachinePlan): Machine {
  const upFile = join(folder, `${name}.up`);
  const script = join(import.meta.dirname, 'network.sh');
  const command = ['unshare', '--net', 'sh', script, upFile];
  return forgeMachine({ name, folder }, command, ['net'], upFile);
}

/** A computer: network, processes, mounts and host name, with a disk in the folder of the cluster. */
export function forgeComputer({ name, folder }: MachinePlan, disk: string): Machine {
  const namespaces: readonly Namespace[] = ['net', 'mount', 'uts', 'ipc', 'pid'];
  const script = join(import.meta.dirname, 'computer.sh');
  const flags = namespaces.map((namespace) => `--${namespace}`);
  const command = ['unshare', ...flags, '--mount-proc', '--fork', '--kill-child'];
  mkdirSync(disk, { recursive: true });
  return forgeMachine(
    { name, folder },
    [...command, 'sh', script, disk, name],
    namespaces,
    join(disk, 'up'),
  );
}

function forgeMachine(
  plan: MachinePlan,
  command: readonly string[],
  namespaces: readonly Namespace[],
  upFile: string,
): Machine {
  const checkReady = async () => {
    if (!existsSync(upFile)) throw new Error('it is not up yet');
  };
  const holder = new Component({
    name: `machine "${plan.name}"`,
    log: `machine-${plan.name}`,
    folder: plan.folder,
    command,
    flags: {},
    checkReady,
  });
  return new Machine(holder, namespaces, upFile);
}
