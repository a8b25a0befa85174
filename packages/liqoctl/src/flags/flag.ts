import type { NameFaults } from '@liqo/kube';

/**
 * How a flag is read. `list` takes `a,b` and repetitions, `repeated` repetitions only; `map` and `quantities` take
 * `key=value,…` and repetitions. Of any other flag that is repeated the last one counts, as with kubectl.
 */
type FlagType =
  | 'text'
  | 'choice'
  | 'boolean'
  | 'duration'
  | 'quantity'
  | 'list'
  | 'repeated'
  | 'map'
  | 'quantities';

export interface Flag {
  readonly type: FlagType;
  /** One letter: `n` for `-n`. */
  readonly short?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly default?: string;
  readonly required?: boolean;
  /** Of type `choice`. */
  readonly choices?: readonly string[];
  /** What is wrong with a text, or with a value of a map: predicates that follow it. */
  readonly check?: (value: string) => NameFaults;
  /** What it can be completed with. */
  readonly completes?: 'contexts' | 'clusters' | 'users' | 'namespaces' | 'files';
  readonly help: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

type OneOf<F extends Flag, Value> = F extends { default: string } | { required: true }
  ? Value
  : Value | undefined;

type ValueOf<F extends Flag> = F['type'] extends 'boolean'
  ? boolean
  : F['type'] extends 'duration'
    ? OneOf<F, number>
    : F['type'] extends 'list' | 'repeated'
      ? readonly string[]
      : F['type'] extends 'map' | 'quantities'
        ? Readonly<Record<string, string>>
        : F extends { choices: readonly (infer Choice)[] }
          ? OneOf<F, Choice>
          : OneOf<F, string>;

/** Durations are in milliseconds. */
export type FlagValues<T extends FlagTable> = { readonly [Name in keyof T]: ValueOf<T[Name]> };
