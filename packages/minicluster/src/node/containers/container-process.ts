import type { Pod, Stored } from '@liqo/kube';
import type { ContainerLog } from './container-log.ts';

export interface Exit {
  readonly exitCode: number;
}

/** A container that runs. */
export interface ContainerProcess {
  /** Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks it to end, as SIGTERM does. */
  terminate(): void;
  /** Makes it end, as SIGKILL does. */
  kill(): void;
}

/** What a container is started with. */
export interface LaunchSpec {
  readonly pod: Stored<Pod>;
  readonly container: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The content of mounted files by their path in the container. */
  readonly files: ReadonlyMap<string, string>;
  readonly log: ContainerLog;
}

/** What SIGKILL leaves for an exit code. */
export const killed: Exit = { exitCode: 137 };
