import { oneLine } from '@liqo/kube';

/** A line of a box: a text, a value with its name, or a heading over further lines. */
export type Row =
  | string
  | readonly [name: string, value: string]
  | { readonly heading: string; readonly rows: readonly Row[] };

export interface Box {
  readonly title: string;
  readonly rows: readonly Row[];
}

const usualWidth = 82;
const narrowest = 20;
const indent = '    ';

/**
 * Boxes of one width under each other, wide enough for the longest line in any of them, and no wider than the terminal.
 * Columns are 0 or undefined where there is no terminal, or where it does not say.
 */
export function renderBoxes(boxes: readonly Box[], columns?: number): string {
  const drawn = boxes.map(({ title, rows }) => ({ title, lines: linesOf(rows, '') }));
  const longest = drawn.flatMap(({ title, lines }) => [
    title.length + 3,
    ...lines.map((line) => line.length + 4),
  ]);
  const room = columns ? Math.max(narrowest, columns - 2) : Number.POSITIVE_INFINITY;
  const width = Math.min(room, Math.max(usualWidth, ...longest));
  return drawn
    .map(({ title, lines }) => {
      const fitting = lines.flatMap((line) => breakLine(line, width - 3));
      return renderBox(shorten(title, width - 4), fitting, width);
    })
    .join('');
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** Between words where that is possible; what follows is indented a little more. */
function breakLine(line: string, length: number): readonly string[] {
  const indentation = line.length - line.trimStart().length;
  const before = ' '.repeat(Math.min(indentation + 2, Math.floor(length / 2)));
  const lines: string[] = [];
  let rest = line;
  while (rest.length > length) {
    const at = rest.lastIndexOf(' ', length);
    const end = rest.slice(0, at).trim() === '' ? length : at;
    lines.push(rest.slice(0, end));
    rest = `${before}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
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
    if (typeof row === 'string') return [before + oneLine(row)];
    if (isPair(row)) {
      const name = `${row[0]}:`.padEnd(widest + 1);
      return [`${before}${name} ${oneLine(row[1])}`.trimEnd()];
    }
    return [before + row.heading, ...linesOf(row.rows, before + indent)];
  });
}

function isPair(row: Row): row is readonly [string, string] {
  return Array.isArray(row);
}
