/** What differs from cluster to cluster: ages, versions, and what a hash makes of a name. */
const masks: Readonly<Record<string, (cell: string) => string>> = {
  AGE: () => '<age>',
  VERSION: () => '<version>',
  NAME: (cell) => cell.replace(/-[0-9a-f]{12}$/, '-<hash>'),
};

/**
 * The rows of a table that kubectl prints, each as its cells by heading. An empty cell is found by the place of its heading.
 * Nodes that are real machines are left out: their names and their number are those of the cluster.
 */
export function readTable(output: string): readonly Readonly<Record<string, string>>[] {
  const [heading = '', ...lines] = output.trimEnd().split('\n');
  const columns = Array.from(heading.matchAll(/\S+( \S+)*/g), ({ 0: name, index }) => ({
    name,
    index,
  }));
  const rows = lines.map((line) =>
    Object.fromEntries(
      columns.map(({ name, index }, position) => {
        const cell = line.slice(index, columns[position + 1]?.index).trim();
        return [name, masks[name]?.(cell) ?? cell];
      }),
    ),
  );
  return rows.filter(({ ROLES = 'agent' }) => ROLES === 'agent');
}
