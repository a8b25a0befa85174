import { ownMember } from '@liqo/kube';
import type { Command, Operands } from '../command.ts';
import { findCommand, nextWords, startsWith } from '../find-command.ts';
import type { Flag, FlagTable } from '../flags/flag.ts';
import { globalFlags } from '../flags/global-flags.ts';
import { splitArguments } from '../flags/split-arguments.ts';

/** What the word at the cursor can become: words that are known, or things that only the world knows. */
export type Completion =
  | { readonly type: 'words'; readonly words: readonly string[] }
  | { readonly type: 'things'; readonly of: Things; readonly args: readonly string[] };

export type Things = Exclude<
  NonNullable<Operands['completes'] | Flag['completes']>,
  readonly string[]
>;

/** Completes the last of the words; the ones before it are complete. */
export function complete(commands: readonly Command[], words: readonly string[]): Completion {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const found = findCommand(commands, before);
  if (found.type === 'unknown') return nothing;
  if (found.type === 'group') return completeGroup(commands, found.path, current);
  const { command, rest } = found;
  const flags = { ...globalFlags, ...command.flags };
  const pending = pendingFlag(rest, flags);
  if (pending) return completeValue(pending, rest, current);
  if (current.startsWith('-')) {
    const names = Object.keys(flags).map((name) => `--${name}`);
    return spelled(names.toSorted(), current);
  }
  const operands = splitArguments(rest, flags).filter(({ type }) => type === 'word').length;
  const further = operands === 0 ? wordsAfter(commands, command.path) : [];
  if (further.length > 0) return spelled(further, current);
  return operands < command.operands.most ? completeOperand(command, rest, current) : nothing;
}

const nothing: Completion = { type: 'words', words: [] };

function spelled(candidates: readonly string[], start: string): Completion {
  return { type: 'words', words: candidates.filter((word) => word.startsWith(start)) };
}

function completeGroup(
  commands: readonly Command[],
  path: readonly string[],
  current: string,
): Completion {
  if (current.startsWith('-')) return spelled(['--help'], current);
  return spelled(wordsAfter(commands, path), current);
}

function wordsAfter(commands: readonly Command[], path: readonly string[]): readonly string[] {
  const possible = commands.filter((command) => startsWith(command.path, path));
  return nextWords(possible, path.length).toSorted();
}

/** The flag whose value is at the cursor. */
function pendingFlag(rest: readonly string[], table: FlagTable): Flag | undefined {
  const last = splitArguments(rest, table).at(-1);
  const isPending = last?.type === 'flag' && last.value === undefined && last.name !== undefined;
  return isPending ? ownMember(table, last.name ?? '') : undefined;
}

function completeValue(
  { choices, completes }: Flag,
  args: readonly string[],
  current: string,
): Completion {
  if (choices) return spelled(choices, current);
  return completes ? { type: 'things', of: completes, args } : nothing;
}

function completeOperand(
  { operands: { completes = [] } }: Command,
  args: readonly string[],
  current: string,
): Completion {
  if (typeof completes === 'string') return { type: 'things', of: completes, args };
  return spelled(completes, current);
}
