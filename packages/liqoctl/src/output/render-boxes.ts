/** A line of a box: a text, a value with its name, or a heading over further lines. */
export type Row =
  | string
  | readonly [name: string, value: string]
  | { readonly heading: string; readonly rows: readonly Row[] };

export interface Box {
  readonly title: string;
  readonly rows: readonly Row[];
}

const narrowest = 82;
const indent = '    ';

/** Boxes of one width under each other, wide enough for the longest line in any of them. */
export function renderBoxes(boxes: readonly Box[]): string {
  const drawn = boxes.map(({ title, rows }) => ({ title, lines: linesOf(rows, '') }));
  const longest = drawn.flatMap(({ title, lines }) => [
    title.length + 3,
    ...lines.map((line) => line.length + 4),
  ]);
  const width = Math.max(narrowest, ...longest);
  return drawn.map(({ title, lines }) => renderBox(title, lines, width)).join('');
}

function renderBox(title: string, lines: readonly string[], width: number): string {
  const top = `┌─ ${title} `.padEnd(width + 1, '─');
  const body = lines.map((line) => `|  ${line.padEnd(width - 2)}|\n`).join('');
  return `${top}┐\n${body}└${'─'.repeat(width)}┘\n`;
}

/** The values of neighbours stand under each other. */
function linesOf(rows: readonly Row[], before: string): readonly string[] {
  const names = rows.flatMap((row) => (isPair(row) ? [row[0].length] : []));
  const widest = Math.max(0, ...names);
  return rows.flatMap((row) => {
    if (typeof row === 'string') return [before + row];
    if (isPair(row)) return [`${before}${`${row[0]}:`.padEnd(widest + 1)} ${row[1]}`.trimEnd()];
    return [before + row.heading, ...linesOf(row.rows, before + indent)];
  });
}

function isPair(row: Row): row is readonly [string, string] {
  return Array.isArray(row);
}
