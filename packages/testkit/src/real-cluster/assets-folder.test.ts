import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetsFolder, findAssets } from './assets-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assets-folder-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test('assetsFolder() is in the cache of the user, named after the version of Kubernetes', () => {
  expect(assetsFolder({})).toMatch(
    new RegExp(`^${homedir()}/.cache/liqo-ts/kubernetes/1\\.35\\.4-[0-9a-f]{12}$`),
  );
  expect(assetsFolder({ XDG_CACHE_HOME: '/elsewhere' })).toMatch(/^\/elsewhere\/liqo-ts\//);
});

test('assetsFolder() ignores a cache home that is not absolute', () => {
  expect(assetsFolder({ XDG_CACHE_HOME: 'here' })).toBe(assetsFolder({}));
});

test('assetsFolder() changes with everything that decides what is built, and with nothing else', () => {
  write('go.mod', 'require k8s.io/kubernetes v1.2.3\n');
  const before = assetsFolder({}, folder);
  write('prepare.ts', 'changed');
  expect(assetsFolder({}, folder)).toBe(before);
  write('helm/go.sum', 'changed');
  const after = assetsFolder({}, folder);
  expect(after).not.toBe(before);
  write('programs.ts', 'changed');
  expect(assetsFolder({}, folder)).not.toBe(after);
});

test('findAssets() takes the folder that KUBEBUILDER_ASSETS names', () => {
  write('etcd');
  expect(findAssets(['etcd'], { KUBEBUILDER_ASSETS: folder })).toBe(folder);
});

test('findAssets() says which programs the named folder lacks, and what to do', () => {
  write('etcd');
  expect(() => findAssets(['etcd', 'kubectl'], { KUBEBUILDER_ASSETS: folder })).toThrow(
    `Cannot use KUBEBUILDER_ASSETS: "${folder}" lacks kubectl. Name a folder that has them, or unset`,
  );
});

test('findAssets() asks for the preparation when nothing was built yet', () => {
  expect(() => findAssets(['etcd'], { XDG_CACHE_HOME: folder })).toThrow(
    'lacks etcd. Run "npm run kubernetes" first',
  );
});

test('findAssets() names the sets that have to be asked for', () => {
  expect(() => findAssets(['kwok'], { XDG_CACHE_HOME: folder }, ['nodes', 'kwok'])).toThrow(
    'lacks kwok. Run "npm run kubernetes -- nodes kwok" first',
  );
});
