import type { TableColumn } from '../../rest/resource.ts';
import { nameColumn } from '../../rest/table.ts';
import type { Item } from '../../store/collection.ts';
import { timeSince } from './human-duration.ts';

type Cell<T> = (object: T, nowMs: number) => unknown;

export function textColumn<T extends object>(name: string, cell: Cell<T>): TableColumn {
  return columnOf('string', name, cell);
}

export function integerColumn<T extends object>(name: string, cell: Cell<T>): TableColumn {
  return columnOf('integer', name, cell);
}

export function booleanColumn<T extends object>(name: string, cell: Cell<T>): TableColumn {
  return columnOf('boolean', name, cell);
}

/** Only with `-o wide`. */
export function wide(...columns: readonly TableColumn[]): TableColumn[] {
  return columns.map((column) => ({ ...column, priority: 1 }));
}

export const ageColumn: TableColumn = textColumn('Age', ({ metadata }: Item, nowMs) =>
  timeSince(metadata.creationTimestamp, nowMs),
);

/** What the server shows of kinds it has no special columns for. */
export const createdAtColumns: readonly TableColumn[] = [
  nameColumn,
  {
    name: 'Created At',
    type: 'date',
    priority: 0,
    cell: ({ metadata }) => metadata.creationTimestamp,
  },
];

function columnOf<T extends object>(
  type: TableColumn['type'],
  name: string,
  cell: Cell<T>,
): TableColumn {
  return { name, type, priority: 0, cell: (item, nowMs) => cell(item as unknown as T, nowMs) };
}
