import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The architecture, executed: which of our packages each package may depend on. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kube: [],
  api: ['kube'],
  runtime: ['kube'],
  minicluster: ['kube'],
  images: [],
  model: ['kube', 'api'],
  controllers: ['kube', 'api', 'model', 'runtime'],
  'virtual-kubelet': ['kube', 'api', 'model', 'runtime'],
  admission: ['kube', 'api', 'model', 'runtime'],
  manifests: ['kube', 'api', 'model'],
  liqo: ['kube', 'api', 'runtime', 'manifests', 'controllers', 'virtual-kubelet', 'admission'],
  liqoctl: ['kube', 'api', 'model', 'manifests'],
  testkit: ['kube', 'api', 'runtime', 'minicluster', 'images'],
  playground: [
    'kube',
    'api',
    'runtime',
    'minicluster',
    'manifests',
    'liqo',
    'liqoctl',
    'images',
    'testkit',
  ],
  simulation: [
    'kube',
    'api',
    'runtime',
    'minicluster',
    'manifests',
    'liqo',
    'liqoctl',
    'virtual-kubelet',
    'playground',
    'testkit',
  ],
};

const packages = readdirSync(join(import.meta.dirname, 'packages'));

test.each(packages)('%s depends only on what the table allows', (name) => {
  const manifest = readFileSync(
    join(import.meta.dirname, 'packages', name, 'package.json'),
    'utf8',
  );
  const { dependencies = {} } = JSON.parse(manifest);
  const ours = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@liqo/'));
  const allowed = mayImport[name]?.map((dependency) => `@liqo/${dependency}`);
  expect(allowed, `"${name}" is not in the table`).toBeDefined();
  expect(allowed).toEqual(expect.arrayContaining(ours));
});

/** Tests, and the worlds they share. */
function isForTests(file: string): boolean {
  return file.endsWith('.test.ts') || file.split('/').includes('testing');
}

/** Real clusters are the playground's second door: whoever takes the first has nothing to do with them. */
function isBehindRealDoor(name: string, file: string): boolean {
  return name === 'playground' && file.startsWith('real/');
}

const products = packages.filter((name) => name !== 'simulation');

test.each(products)('%s imports testkit in tests and for real clusters only', (name) => {
  const source = join(import.meta.dirname, 'packages', name, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const product = files.filter(
    (file) => file.endsWith('.ts') && !isForTests(file) && !isBehindRealDoor(name, file),
  );
  const offenders = product.filter((file) =>
    /from '(@liqo\/testkit|(\.{1,2}\/)+real\/)/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(offenders).toEqual([]);
});
