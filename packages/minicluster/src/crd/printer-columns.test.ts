import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Item } from '../store/collection.ts';
import { printerColumns } from './printer-columns.ts';

/** The cells that a real API server (1.35) printed for an object. Every entry is JSON in a text. */
const vectors: { readonly object: string; readonly cells: readonly string[] } = JSON.parse(
  readFileSync(new URL('./printer-columns.vectors.json', import.meta.url), 'utf8'),
);
const object: Item = JSON.parse(vectors.object);
const cells = vectors.cells.map((text): [string, string, unknown] => JSON.parse(text));
const now = Date.parse('2026-01-01T00:00:00Z');

function cellOf(type: string, jsonPath: string, of: Item = object): unknown {
  const [, column] = printerColumns([{ name: 'C', type, jsonPath }]);
  return column?.cell(of, now);
}

describe('printerColumns()', () => {
  test.each(cells)('prints a %s at %s as a real server', (type, path, cell) => {
    expect(cellOf(type, path)).toEqual(cell);
  });

  test('prints dates as ages', () => {
    const made = {
      ...object,
      metadata: { ...object.metadata, creationTimestamp: '2025-12-31T23:55:00Z' },
    };
    expect(cellOf('date', '.metadata.creationTimestamp', made)).toBe('5m');
  });

  test('has the name and the age when nothing is asked for', () => {
    const columns = printerColumns();
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
  });

  test('tells where a column comes from when it is not described', () => {
    const [, column] = printerColumns([{ name: 'C', type: 'string', jsonPath: '.spec.a' }]);
    expect(column?.description).toBe(
      'Custom resource definition column (in JSONPath format): .spec.a',
    );
  });

  test('ends at a path that cannot be read', () => {
    const wanted = ['.spec.a', '.spec["b"]', '.spec.c'].map((jsonPath) => ({
      name: jsonPath,
      type: 'string',
      jsonPath,
    }));
    expect(printerColumns(wanted).map(({ name }) => name)).toEqual(['Name', '.spec.a']);
  });
});
