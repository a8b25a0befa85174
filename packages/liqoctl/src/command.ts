import type { Cluster } from './cluster/connect-cluster.ts';
import type { FlagTable, FlagValues } from './flags/flag.ts';
import type { Progress } from './output/progress.ts';
import type { Surroundings } from './surroundings.ts';

/** The words after the flags of a command. */
export interface Operands {
  /** In the help: `NAME`. */
  readonly placeholder: string;
  readonly least: number;
  readonly most: number;
  /** What they can be completed with. */
  readonly completes?:
    | 'virtualnodes'
    | 'namespaces'
    | 'tenants'
    | 'resourceslices'
    | readonly string[];
}

/** One call of a command: what was said, and what there is to work with. */
export interface Invocation<T extends FlagTable> {
  readonly operands: readonly string[];
  readonly flags: FlagValues<T>;
  /** The flags that were given, and not left to their defaults. */
  readonly given: ReadonlySet<string>;
  readonly progress: Progress;
  readonly around: Surroundings;
  readonly signal: AbortSignal;
  /** The cluster that the flags choose. */
  readonly connect: () => Promise<Cluster>;
  /** The cluster that the remote flags choose. */
  readonly connectRemote: () => Promise<Cluster>;
  /** Data, for standard output. */
  readonly print: (text: string) => void;
  /** Adds the global labels and annotations to a manifest that is printed; what is created gets them on its way. */
  readonly stamp: <T extends object>(object: T) => T;
  /** A command to run next, for the same cluster. */
  readonly suggest: (command: string) => string;
  /** A command to run next, for the remote cluster alone. */
  readonly suggestRemote: (command: string) => string;
  /** A command to run next, for the same two clusters. */
  readonly suggestBoth: (command: string) => string;
}

/** A command, one file each: what it is called with, and what it does. */
export interface CommandDefinition<T extends FlagTable> {
  /** `create virtualnode`. */
  readonly path: readonly string[];
  readonly summary: string;
  /** A paragraph or two for its help. */
  readonly description: string;
  readonly examples: readonly string[];
  readonly operands: Operands;
  readonly flags: T;
  /** What no single flag can tell: problems, each as a clause. */
  readonly check?: (call: Pick<Invocation<T>, 'operands' | 'flags' | 'given'>) => readonly string[];
  readonly run: (call: Invocation<T>) => Promise<void>;
}

/** A command in the table of commands, where the types of its flags no longer matter. */
export interface Command extends Omit<CommandDefinition<FlagTable>, 'check' | 'run'> {
  readonly check: (
    call: Pick<Invocation<FlagTable>, 'operands' | 'flags' | 'given'>,
  ) => readonly string[];
  readonly run: (call: Invocation<FlagTable>) => Promise<void>;
}

export function defineCommand<const T extends FlagTable>(
  definition: CommandDefinition<T>,
): Command {
  const { check, run } = definition;
  // The values come from parseFlags() with this very table, which is what makes them of these types.
  return {
    ...definition,
    check: (call) => check?.(call as Invocation<T>) ?? [],
    run: (call) => run(call as Invocation<T>),
  };
}

export const noOperands: Operands = { placeholder: '', least: 0, most: 0 };
