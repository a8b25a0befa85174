import type { MeasuredRow } from './results.ts';

const titles = ['what', 'median', 'least', 'most', 'unit', 'budget', ''];

/** One line a row, in columns. */
export function printTable(rows: readonly MeasuredRow[]): string {
  const lines = [titles, ...rows.filter((row) => !row.isDetail).map(cells)];
  const widths = titles.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines.map((line) => layOut(line, widths)).join('\n');
}

function cells({ title, unit, budget, median, least, most }: MeasuredRow): string[] {
  const verdict = budget === undefined ? '' : median <= budget ? 'within' : 'OVER';
  const limit = budget === undefined ? '' : `≤ ${budget}`;
  return [title, short(median), short(least), short(most), unit, limit, verdict];
}

/** Three digits that mean something. */
function short(value: number): string {
  if (!Number.isFinite(value)) return '?';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return String(Number(value.toPrecision(3)));
}

function layOut(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((cell, i) =>
    i >= 1 && i <= 3 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
  );
  return padded.join('  ').trimEnd();
}
