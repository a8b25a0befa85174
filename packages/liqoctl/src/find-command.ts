import { closest } from './closest.ts';
import type { Command } from './command.ts';
import type { FlagTable } from './flags/flag.ts';
import { globalFlags } from './flags/global-flags.ts';
import { splitArguments } from './flags/split-arguments.ts';
import { canonicalWord } from './nouns.ts';

/** What the words of a command line lead to. */
export type Found =
  | { readonly type: 'command'; readonly command: Command; readonly rest: readonly string[] }
  /** Words that are the beginning of several commands, or none at all. */
  | { readonly type: 'group'; readonly path: readonly string[] }
  | {
      readonly type: 'unknown';
      readonly path: readonly string[];
      readonly word: string;
      readonly didYouMean: string | undefined;
    };

/**
 * Finds the command that is meant. Flags may stand anywhere, also before and between its words: whether a flag takes the
 * word after it is known from the commands that are still possible.
 */
export function findCommand(commands: readonly Command[], args: readonly string[]): Found {
  let path: readonly string[] = [];
  let rest = args;
  for (;;) {
    const possible = commands.filter((command) => startsWith(command.path, path));
    const command = possible.find((one) => one.path.length === path.length);
    const taken = takeWord(rest, flagsOf(possible));
    const further = nextWords(possible, path.length);
    const word = taken && canonicalWord(taken.word);
    if (taken && word !== undefined && further.includes(word)) {
      path = [...path, word];
      rest = taken.rest;
      continue;
    }
    if (command) return { type: 'command', command, rest };
    if (!taken) return { type: 'group', path };
    return { type: 'unknown', path, word: taken.word, didYouMean: closest(taken.word, further) };
  }
}

/** The words that can follow. */
export function nextWords(commands: readonly Command[], at: number): readonly string[] {
  return [...new Set(commands.flatMap(({ path }) => path[at] ?? []))];
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => path[index] === word);
}

function flagsOf(commands: readonly Command[]): FlagTable {
  return Object.fromEntries(
    [globalFlags, ...commands.map(({ flags }) => flags)].flatMap(Object.entries),
  );
}

/** The first word, and everything but that word. */
function takeWord(
  args: readonly string[],
  table: FlagTable,
): { readonly word: string; readonly rest: readonly string[] } | undefined {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--') return undefined;
    const parts = splitArguments(args.slice(0, at + 1), table);
    const last = parts.at(-1);
    if (last?.type === 'word') return { word: last.text, rest: args.toSpliced(at, 1) };
  }
  return undefined;
}
