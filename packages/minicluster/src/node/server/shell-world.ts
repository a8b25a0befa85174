import type { Clock } from '@liqo/kube';

/** What a command run in a container has to do with. */
export interface ShellWorld {
  readonly env: Readonly<Record<string, string>>;
  /** By their path. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** For as long as the container runs. */
  writeFile(path: string, bytes: Uint8Array): void;
  /** Whether a person types: then a shell asks for every line. */
  readonly isTerminal: boolean;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** What it returns, if anything, settles when there is room for more. */
  stdout(text: Uint8Array | string): Promise<void> | void;
  stderr(text: Uint8Array | string): Promise<void> | void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}
