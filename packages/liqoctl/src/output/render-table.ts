/** Rows under their headings, as kubectl sets them; an empty cell is `<none>`. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings, ...rows.map((row) => row.map((cell) => cell || '<none>'))];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines.map((line) => `${renderRow(line, widths)}\n`).join('');
}

const gap = '   ';

function renderRow(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(gap)
    .trimEnd();
}
