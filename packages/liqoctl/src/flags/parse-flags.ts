import { closest } from '../closest.ts';
import type { FlagTable } from './flag.ts';
import { readValue } from './read-value.ts';
import { type Argument, splitArguments } from './split-arguments.ts';

export interface ParsedArguments {
  readonly words: readonly string[];
  /** Typed by the table: see `FlagValues`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Everything that is wrong with the flags, each as a clause. */
  readonly problems: readonly string[];
}

/** Reads the flags of a table; whatever is unknown, missing or malformed is said, all of it. */
export function parseFlags(args: readonly string[], table: FlagTable): ParsedArguments {
  const parts = splitArguments(args, table);
  const problems = parts.flatMap((part) => complaint(part, table));
  const values = new Map<string, unknown>();
  for (const [name, flag] of Object.entries(table)) {
    try {
      values.set(name, readValue(name, flag, givenFor(name, parts)));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return {
    words: parts.flatMap(wordOf),
    values: Object.fromEntries(values),
    problems: unrepeated(problems),
  };
}

/** Which flags were given, whatever their values. */
export function givenFlags(args: readonly string[], table: FlagTable): ReadonlySet<string> {
  const parts = splitArguments(args, table);
  return new Set(parts.flatMap((part) => (part.type === 'flag' && part.name) || []));
}

function complaint(part: Argument, table: FlagTable): string[] {
  if (part.type === 'word') return [];
  if (part.name === undefined) return [unknownFlag(part.written, table)];
  return part.value === undefined ? [`"${part.written}" needs a value`] : [];
}

function unknownFlag(written: string, table: FlagTable): string {
  const likely = closest(
    written,
    Object.keys(table).map((name) => `--${name}`),
  );
  return `there is no flag "${written}"${likely ? ` (did you mean "${likely}"?)` : ''}`;
}

function givenFor(name: string, parts: readonly Argument[]): readonly string[] {
  return parts.flatMap((part) =>
    part.type === 'flag' && part.name === name && part.value !== undefined ? [part.value] : [],
  );
}

function wordOf(part: Argument): string[] {
  return part.type === 'word' ? [part.text] : [];
}

/** A flag that was given without its value is not also said to be missing. */
function unrepeated(problems: readonly string[]): readonly string[] {
  const withoutValue = problems.flatMap(
    (problem) => /^"(--.*)" needs a value$/.exec(problem) ?? [],
  );
  return problems.filter((problem) => {
    const missing = /^"(--.*)" is missing$/.exec(problem)?.[1];
    return missing === undefined || !withoutValue.includes(missing);
  });
}
