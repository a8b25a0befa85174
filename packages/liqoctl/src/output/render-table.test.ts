import { expect, test } from 'vitest';
import { renderTable } from './render-table.ts';

const headings = ['NAMESPACE', 'NAME', 'AGE'];
const rows = [
  ['liqo-tenant-milan', 'mynode', '10s'],
  ['liqo-tenant-turin', 'mynode-turin', ''],
];

test('renderTable() sets the cells of a row under each other where the terminal is too narrow for the table', () => {
  expect(renderTable(headings, rows, 30)).toBe(`NAMESPACE: liqo-tenant-milan
NAME:      mynode
AGE:       10s

NAMESPACE: liqo-tenant-turin
NAME:      mynode-turin
AGE:       <none>
`);
});

test.each([undefined, 0, 41, 59, 60, 80])(
  'renderTable() stays a table for %s columns, where it fits, and where kubectl has one too',
  (columns) => expect(renderTable(headings, rows, columns)).toBe(renderTable(headings, rows)),
);

test('renderTable() stays a table from 60 columns on, though it does not fit', () => {
  const long = [['x'.repeat(70), 'mynode', '10s']];
  expect(renderTable(headings, long, 60)).toBe(renderTable(headings, long));
  expect(renderTable(headings, long, 59)).not.toBe(renderTable(headings, long));
});

test('renderTable() sets cells under their headings, and none as <none>', () => {
  expect(
    renderTable(
      ['NAME', 'AGE'],
      [
        ['a-long-name', ''],
        ['b', '5s'],
      ],
    ),
  ).toBe('NAME          AGE\na-long-name   <none>\nb             5s\n');
});

test('renderTable() lets no cell control the terminal', () => {
  const table = renderTable(['NAME', 'WHY'], [['a', 'no\n\u001b[2Jtwo\u202ethree']]);
  expect(table).toBe('NAME   WHY\na      no two three\n');
});
