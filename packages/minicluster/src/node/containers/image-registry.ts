import type { Pod, Stored } from '@liqo/kube';

interface ProgramOutput {
  write(chunk: string | Uint8Array): void;
}

/** What a program sees of the container it runs as. */
export interface ProgramContext {
  /** What follows the entry point: the rest of the container's `command`, then its `args`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The content of mounted files by their path in the container, as it is now: it follows its volumes. */
  readonly files: ReadonlyMap<string, string>;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
  /** Aborts when the container is told to stop. */
  readonly signal: AbortSignal;
  readonly pod: Stored<Pod>;
}

type Run = (context: ProgramContext) => Promise<number>;

/**
 * What an image runs for real: a function in this process that resolves with the exit code, or a program on this
 * machine. The latter finds the mounted files below the folder that its variable MINICLUSTER_ROOT names. Probes and
 * hooks that run commands run them as programs of the machine too; functions say with `exec` what their commands do.
 */
export type Program =
  | Run
  | { readonly run: Run; readonly exec: Run }
  | { readonly command: readonly [string, ...string[]] };

/** By the name of the image, as pods write it. */
export type ImageRegistry = ReadonlyMap<string, Program>;
