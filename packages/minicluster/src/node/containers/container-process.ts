import type { Pod, Stored } from '@liqo/kube';
import type { ContainerLog } from './container-log.ts';

export interface Exit {
  readonly exitCode: number;
}

/** How a command that ran in a container ended, and what it wrote to both of its streams. */
export interface CommandResult extends Exit {
  readonly output: string;
}

/** A container that runs. */
export interface ContainerProcess {
  /** Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks it to end, as SIGTERM does. */
  terminate(): void;
  /** Makes it end, as SIGKILL does. */
  kill(): void;
  /** Runs a command in it, and kills it when the signal aborts; rejects when it cannot be run. Absent where none can. */
  exec?(command: readonly string[], signal: AbortSignal): Promise<CommandResult>;
  /** Gives it the files as they are now, in place of those of the mounts that follow their volumes. */
  refresh?(files: ReadonlyMap<string, string>): Promise<void>;
}

/** What a container is started with. */
export interface LaunchSpec {
  readonly pod: Stored<Pod>;
  readonly container: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The content of mounted files by their path in the container, as it is now: it follows its volumes. */
  readonly files: ReadonlyMap<string, string>;
  readonly log: ContainerLog;
}

/** What SIGKILL leaves for an exit code. */
export const killed: Exit = { exitCode: 137 };

/** Commands that nobody reads may write as much; the rest is dropped, as by the kubelet. */
export const maxOutputLength = 10 * 1024;
