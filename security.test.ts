import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programBundle } from '@liqo/images';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = import.meta.dirname;
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** The cells of the table rows of one section. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('docs/security.md names tests that exist', () => {
  const named = [...page.matchAll(/`([\w./-]+\.(?:test|e2e|verify)\.ts)`/g)];
  const paths = named.map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(50);
  const missing = paths.filter(
    (path) => !existsSync(join(root, 'packages', path)) && !existsSync(join(root, path)),
  );
  expect(missing).toEqual([]);
});

test('docs/security.md has every threat, with names of tests that exist', () => {
  const rows = rowsOf('Threats');
  const numbers = Array.from({ length: 31 }, (_, nth) => `T${nth + 1}`);
  expect(rows.map(([number]) => number)).toEqual(numbers);
  const missing = rows.flatMap(([number, , cell = '']) =>
    [...cell.matchAll(/`([\w./-]+\.ts)`(?:: `([^`]+)`)?/g)].flatMap(([, path = '', name = '']) =>
      sourceOf(path).includes(name) ? [] : [`${number}: ${path}: ${name}`],
    ),
  );
  expect(missing).toEqual([]);
  const untested = rows.filter(([, , cell = '']) => !cell.includes('.ts`'));
  expect(untested.map(([number]) => number)).toEqual(['T25']);
});

/** Of a test in the packages or in the root. */
function sourceOf(path: string): string {
  const inPackages = join(root, 'packages', path);
  return readFileSync(existsSync(inPackages) ? inPackages : join(root, path), 'utf8');
}

test('docs/security.md has a reason for every package that the executables contain', async () => {
  const { metafile } = await build({
    ...programBundle,
    entryPoints: ['liqo', 'liqoctl'].map((name) => join(root, `packages/${name}/bin/${name}.ts`)),
    outdir: join(root, 'dist'),
    write: false,
    metafile: true,
  });
  const packages = Object.keys(metafile.inputs).flatMap((path) => {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    return name === undefined ? [] : [`\`${name}\``];
  });
  const rows = rowsOf('Packages of others');
  expect(rows.map(([name]) => name).toSorted()).toEqual([...new Set(packages)].toSorted());
  for (const [name, , reason] of rows) expect(reason, name).not.toBe('');
  // docs/decisions/0020-packages-of-others.md
  expect(rows).toHaveLength(17);
});
