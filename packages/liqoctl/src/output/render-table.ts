import { oneParagraph } from './one-paragraph.ts';

/** From here on a table is one, as kubectl has it, also where the terminal wraps its lines. */
const enoughColumns = 60;

/**
 * Rows under their headings, as kubectl sets them; an empty cell is `<none>`. In a terminal that is narrow, and too narrow
 * for the table, each row is a paragraph. Columns are 0 or undefined where there is no terminal, or where it does not say.
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns?: number,
): string {
  const filled = rows.map((row) => row.map((cell) => oneParagraph(cell) || '<none>'));
  const table = alignRows([headings, ...filled]);
  const isNarrow = columns !== undefined && columns > 0 && columns < enoughColumns;
  const fits = table.split('\n').every((line) => line.length <= (columns ?? 0));
  return isNarrow && !fits ? renderParagraphs(headings, filled) : table;
}

function renderParagraphs(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const width = Math.max(...headings.map((heading) => heading.length)) + 1;
  const paragraphs = rows.map((row) =>
    headings.map((heading, nth) => `${`${heading}:`.padEnd(width)} ${row[nth] ?? ''}\n`).join(''),
  );
  return paragraphs.join('\n');
}

function alignRows(lines: readonly (readonly string[])[]): string {
  const [headings = []] = lines;
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
