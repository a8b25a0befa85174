import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findDynamicKeys } from './dynamic-keys.ts';

/** Their objects have keys that peers, files and command lines choose. */
const product =
  /^packages\/(admission|api|controllers|kube|liqo|liqoctl|manifests|model|runtime|virtual-kubelet)\/src\//;

/** Every JSON value that is compared or copied passes here: plain loops that are careful by themselves, with tests. */
const careful = new Set(['packages/kube/src/json.ts']);

function isProduct(file: string): boolean {
  const isForTests = file.endsWith('.test.ts') || file.split('/').includes('testing');
  return product.test(file) && !isForTests && !careful.has(file);
}

test('no plain object of the product is indexed with a key from outside', () => {
  const help = 'Use ownMember(), a Map, Object.entries() or Object.fromEntries()';
  expect(findDynamicKeys(import.meta.dirname, isProduct), help).toEqual([]);
});

function findIn(code: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'code.ts'), code);
  const compilerOptions = { strict: true, noEmit: true, target: 'es2023', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  return findDynamicKeys(folder, () => true).map((found) => found.replace('code.ts:', ''));
}

const declared = `
declare const record: Record<string, string>;
declare const key: string;
declare const known: 'a' | 'b';
declare const table: { a: 1; b: 2 };
declare const list: string[];
`;

test.each([
  ['a read', 'record[key];'],
  ['a write', 'record[key] = "x";'],
  ['a read with a composed key', 'record[`$' + '{key}/x`];'],
  ['a question', 'key in record;'],
  ['an assignment of all members', 'Object.assign({}, record);'],
  ['a computed binding', 'const { [key]: value } = record;'],
])('findDynamicKeys() finds %s', (_, code) => {
  const found = findIn(`${declared}${code}`);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(code.slice(0, 6).replace('const ', '[key]'));
});

test('findDynamicKeys() finds a loop over what is inherited, too', () => {
  const found = findIn(`${declared}for (const name in record) record[name];`);
  expect(found).toHaveLength(2);
});

test('findDynamicKeys() accepts keys that the compiler knows, lists, and new members', () => {
  const code = `
    table[known]; list[0]; list[list.length - 1]; record['a']; 'a' in record;
    Object.assign(table, { a: 1 }); ({ ...record, [key]: 'x' });
    Object.fromEntries(Object.entries(record)); new Map(Object.entries(record)).get(key);`;
  expect(findIn(`${declared}${code}`)).toEqual([]);
});
