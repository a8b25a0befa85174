import type { Pod, Stored } from '@liqo/kube';

interface ProgramOutput {
  write(chunk: string | Uint8Array): void;
}

/** What a program sees of the container it runs as. */
export interface ProgramContext {
  /** What follows the entry point: the rest of the container's `command`, then its `args`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The content of mounted files by their path in the container, as of its start. */
  readonly files: ReadonlyMap<string, string>;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
  /** Aborts when the container is told to stop. */
  readonly signal: AbortSignal;
  readonly pod: Stored<Pod>;
}

/**
 * What an image runs for real: a function in this process that resolves with the exit code, or a program on this
 * machine. The latter finds the mounted files below the folder that its variable MINICLUSTER_ROOT names.
 */
export type Program =
  | ((context: ProgramContext) => Promise<number>)
  | { readonly command: readonly [string, ...string[]] };

/** By the name of the image, as pods write it. */
export type ImageRegistry = ReadonlyMap<string, Program>;
