import type { ClusterChoice } from './cluster/connect-cluster.ts';

/** A command to run next, which means the same cluster as the one that was run, ready to be pasted into a shell. */
export function suggestCommand(line: string, choice: ClusterChoice): string {
  const flags = Object.entries(choice).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteForShell(value)}`],
  );
  return ['liqoctl', line, ...flags].join(' ');
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
