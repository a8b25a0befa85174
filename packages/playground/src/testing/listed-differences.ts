import type { Difference } from './compare-objects.ts';

/** A row of a table of differences: texts in which `*` stands for anything. */
export type ListedDifference = Difference;

/** The rows of all tables whose first columns are called so, in order. */
export function readListedDifferences(
  page: string,
  [object, field] = ['object', 'field'],
): readonly ListedDifference[] {
  const tables = page.split(/\n(?!\|)/).map((block) => block.trim().split('\n'));
  return tables
    .filter(([header]) => header === `| ${object} | ${field} | Liqo v1.2 | liqo-ts | reason |`)
    .flatMap((lines) => lines.slice(2).map(readRow));
}

function readRow(line: string): ListedDifference {
  const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
  const [, object = '', field = '', liqo = '', ours = '', reason = ''] = cells;
  if (reason === '') throw new Error(`Cannot read "${line}": it gives no reason`);
  return { object, field, liqo: liqo || 'there', ours: ours || 'there' };
}

export function isListed(listed: ListedDifference, difference: Difference): boolean {
  const { object, field, liqo, ours } = difference;
  const [kind = ''] = object.split(' ');
  return (
    (listed.object === kind || matches(listed.object, object)) &&
    matches(listed.field, field) &&
    matches(listed.liqo, liqo) &&
    matches(listed.ours, ours)
  );
}

function matches(pattern: string, text: string): boolean {
  const literal = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's').test(text);
}
