import { fileURLToPath } from 'node:url';
import type { Command } from '../src/command.ts';
import { commands } from '../src/commands.ts';
import type { Flag, FlagTable } from '../src/flags/flag.ts';
import { connectionFlags, remoteConnectionFlags } from '../src/flags/shared-flags.ts';
import { usageOf } from '../src/help.ts';
import { aliasesOf } from '../src/nouns.ts';

export const cliPage = fileURLToPath(new URL('../../../docs/cli.md', import.meta.url));

/** The reference of liqoctl, from the definitions of its commands. */
export function renderCliPage(): string {
  return `${[
    '<!-- Generated from packages/liqoctl/src/commands: change the command there, then run `npm run cli`. -->',
    '# liqoctl',
    introduction,
    renderTable(
      ['command', ''],
      commands.map((command) => [linkTo(command), command.summary]),
    ),
    '## Which cluster, and as whom',
    'Every command that talks to a cluster takes these flags. They are spelled as those of kubectl.',
    renderFlags(connectionFlags),
    'A command that talks to two clusters takes them for the other one too:',
    renderFlags(remoteConnectionFlags),
    ...commands.flatMap(renderCommand),
  ].join('\n\n')}\n`;
}

const introduction = `\`liqoctl\` runs from a checkout as \`npx liqoctl\`, and as one file after \`npm run build\`. With \`kubectl-liqo\` in the
\`PATH\`, \`kubectl liqo\` is the same.

- Data is written to standard output; progress, warnings and failures to standard error.
- A failure is two lines: what could not be done and why, then what to do next.
- The exit code is 0, 1 when the command failed, 2 when it was called wrongly, and 130 after Ctrl-C.
- Flags may stand anywhere. \`--help\` says how a command is used, \`liqoctl completion\` completes commands, flags and names.
- Commands that remove something ask at a terminal, unless \`-y\` (\`--skip-confirm\`) is given. Where there is no terminal, those that Liqo v1.2
  runs without asking go on, and the others refuse.`;

function renderCommand(command: Command): readonly string[] {
  const { description, examples, flags, path } = command;
  const shared = { ...connectionFlags, ...remoteConnectionFlags };
  const own = Object.entries(flags).filter(([name]) => !Object.hasOwn(shared, name));
  const aliases = aliasesOf(path.at(-1) ?? '').map((alias) => `\`${alias}\``);
  return [
    `## ${nameOf(command)}`,
    `\`${usageOf(command)}\``,
    escapeText(description.replaceAll('\n', ' ')),
    ...(aliases.length > 0 ? [`Instead of \`${path.at(-1)}\`: ${aliases.join(', ')}.`] : []),
    examples.map((example) => `- \`${example}\``).join('\n'),
    ...(own.length > 0 ? [renderFlags(Object.fromEntries(own))] : []),
  ];
}

function renderFlags(table: FlagTable): string {
  const rows = Object.entries(table)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, flag]) => [spell(name, flag), defaultOf(flag), escapeText(flag.help)]);
  return renderTable(['flag', 'default', ''], rows);
}

function spell(name: string, { short, value }: Flag): string {
  const long = `--${name}${value ? ` ${value}` : ''}`;
  return `\`${short ? `-${short}, ` : ''}${long}\``;
}

function defaultOf({ default: standard, required, type }: Flag): string {
  if (required) return 'required';
  return standard === undefined || type === 'boolean' ? '' : `\`${standard}\``;
}

function linkTo(command: Command): string {
  const name = nameOf(command);
  return `[\`${name}\`](#${name.replaceAll(' ', '-')})`;
}

function nameOf({ path }: Command): string {
  return ['liqoctl', ...path].join(' ');
}

/** Angle brackets would be taken for HTML. */
function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;');
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
