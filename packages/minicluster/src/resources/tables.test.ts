import { expect, test } from 'vitest';
import type { Item } from '../store/collection.ts';
import recorded from './tables.vectors.json' with { type: 'json' };
import { resourcesByName } from './testing/written-object.ts';

/** What a kube-apiserver 1.35.4 showed `kubectl get` of an object at the time `now`. */
interface Row {
  readonly resource: string;
  readonly now: number;
  readonly cells: readonly unknown[];
  readonly object: Item;
}

const rows = recorded.rows.map((text): Row => JSON.parse(text));
const tables = recorded.columns.map((text): [string, unknown[]] => JSON.parse(text));
const resources = resourcesByName();

test.each(tables)('%s has the columns of the real server', (name, columns) => {
  const own = resources.get(name)?.columns ?? [];
  expect(
    own.map((column) => [column.name, column.type, column.format ?? '', column.priority]),
  ).toEqual(columns);
});

test.each(rows.map((row) => [`${row.resource} ${row.object.metadata.name}`, row] as const))(
  '%s fills its columns as the real server does',
  (_, { resource, now, cells, object }) => {
    const columns = resources.get(resource)?.columns ?? [];
    expect(columns.map((column) => column.cell(object, now) ?? null)).toEqual(cells);
  },
);
