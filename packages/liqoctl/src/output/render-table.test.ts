import { expect, test } from 'vitest';
import { renderTable } from './render-table.ts';

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
