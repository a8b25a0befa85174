import type { Command } from './command.ts';
import { nextWords, startsWith } from './find-command.ts';
import type { Flag, FlagTable } from './flags/flag.ts';
import { globalFlags } from './flags/global-flags.ts';
import { connectionFlags } from './flags/shared-flags.ts';
import { aliasesOf } from './nouns.ts';

/** What `liqoctl --help` says, or `liqoctl create --help` for the commands that start so. */
export function describeGroup(commands: readonly Command[], path: readonly string[]): string {
  const below = commands.filter((command) => startsWith(command.path, path));
  const width = Math.max(...below.map((command) => nameOf(command).length));
  const start = ['liqoctl', ...path].join(' ');
  return [
    path.length === 0
      ? 'liqoctl lends and borrows the capacity of Kubernetes clusters.\n'
      : `${start} ${nextWords(below, path.length).join('|')}\n`,
    'Commands:',
    ...below.map((command) => `  ${nameOf(command).padEnd(width)}   ${command.summary}`),
    '',
    `Run "${start} <command> --help" to see how a command is used.`,
    '',
  ].join('\n');
}

/** What `liqoctl create virtualnode --help` says. */
export function describeCommand(command: Command): string {
  const { path, flags, description, examples } = command;
  const own = without(flags, connectionFlags);
  const talksToCluster = Object.keys(own).length < Object.keys(flags).length;
  const noun = path.at(-1) ?? '';
  const aliases = aliasesOf(noun);
  return [
    `${usageOf(command)}`,
    '',
    description,
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    ...(aliases.length > 0 ? ['', `Instead of "${noun}": ${aliases.join(', ')}`] : []),
    ...(Object.keys(own).length > 0 ? describeFlags('Flags', own) : []),
    ...describeFlags('Flags of every command', without(globalFlags, own)),
    ...(talksToCluster ? describeFlags('Which cluster, and as whom', connectionFlags) : []),
    '',
  ].join('\n');
}

/** `liqoctl create virtualnode NAME [flags]`. */
export function usageOf({ path, operands }: Command): string {
  const { placeholder, least, most } = operands;
  const several = most > 1 ? `${placeholder}…` : placeholder;
  const words = placeholder === '' ? [] : [least === 0 ? `[${several}]` : several];
  return ['liqoctl', ...path, ...words, '[flags]'].join(' ');
}

function nameOf({ path }: Command): string {
  return path.join(' ');
}

function describeFlags(title: string, table: FlagTable): readonly string[] {
  const entries = Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const width = Math.max(...entries.map(([name, flag]) => spell(name, flag).length));
  return [
    '',
    `${title}:`,
    ...entries.map(([name, flag]) => `  ${spell(name, flag).padEnd(width)}   ${explainFlag(flag)}`),
  ];
}

function spell(name: string, { short, value }: Flag): string {
  return `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
}

function explainFlag({ help, default: standard, required, type }: Flag): string {
  if (required) return `${help} (required)`;
  const isWorthSaying = standard !== undefined && !(type === 'boolean' && standard === 'false');
  return isWorthSaying ? `${help} (default ${standard})` : help;
}

function without(table: FlagTable, others: FlagTable): FlagTable {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !Object.hasOwn(others, name)));
}
