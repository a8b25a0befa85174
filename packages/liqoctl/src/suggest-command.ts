import type { ClusterChoice } from './cluster/connect-cluster.ts';

/** A command to run next, which means the same cluster as the one that was run, ready to be pasted into a shell. */
export function suggestCommand(
  line: string,
  choice: ClusterChoice,
  remoteChoice: ClusterChoice = {},
): string {
  const flags = [...spellChoice(choice, '--'), ...spellChoice(remoteChoice, '--remote-')];
  return ['liqoctl', line, ...flags].join(' ');
}

/** A command of kubectl or liqoctl for the same cluster: both spell the flags in the same way. */
export function forSameCluster(command: string, choice: ClusterChoice): string {
  return [command, ...spellChoice(choice, '--')].join(' ');
}

function spellChoice(choice: ClusterChoice, prefix: string): readonly string[] {
  return Object.entries(choice).flatMap(([name, value]) =>
    value === undefined ? [] : [`${prefix}${name} ${quoteForShell(value)}`],
  );
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
