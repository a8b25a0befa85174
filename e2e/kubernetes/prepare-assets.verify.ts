import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetsFolder } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { type Preparation, prepareAssets } from './prepare-assets.ts';
import type { ProgramSet } from './programs.ts';

/** A recipe of the same shape as the real one, for a program that is built in a second from nothing but Go itself. */
const greeter: ProgramSet = {
  module: '.',
  release: 'k8s.io/kubernetes',
  programs: { greet: 'k8s.io/kubernetes/cmd/hello/v2' },
  variables: (version) => ({ 'main.version': version }),
  files: { 'greetings/all.yaml': ['one.yaml', 'two.yaml'] },
  minutes: 1,
};

const goMod = `module example

go 1.21

require k8s.io/kubernetes v1.2.3

replace k8s.io/kubernetes => ./kubernetes
`;

const source = `package main

import "os"

var version string

func main() { os.Stdout.WriteString("hello from " + version) }
`;

/** Named, because it would move with the cache home, and Go would compile its own library anew in every test. */
const goCache = execFileSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).trim();

let root: string;
let said: string[];
let preparation: Preparation;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prepare-assets-'));
  said = [];
  writeRecipe('go.mod', goMod);
  writeRecipe('kubernetes/go.mod', 'module k8s.io/kubernetes\n\ngo 1.21\n');
  writeRecipe('kubernetes/cmd/hello/v2/main.go', source);
  writeRecipe('kubernetes/one.yaml', 'one: 1\n');
  writeRecipe('kubernetes/two.yaml', 'two: 2\n');
  preparation = {
    sets: [greeter],
    packageSets: [],
    recipe: join(root, 'recipe'),
    env: {
      ...process.env,
      GOCACHE: goCache,
      KUBEBUILDER_ASSETS: undefined,
      XDG_CACHE_HOME: join(root, 'cache'),
    },
    say: (line) => said.push(line),
  };
  folder = assetsFolder(preparation.env, preparation.recipe);
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function writeRecipe(path: string, text: string): void {
  mkdirSync(dirname(join(root, 'recipe', path)), { recursive: true });
  writeFileSync(join(root, 'recipe', path), text);
}

function inCache(): readonly string[] {
  return readdirSync(dirname(folder));
}

function leaveBehind(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

test('prepareAssets() builds the programs, with their version, and gathers the files', async () => {
  expect(await prepareAssets(preparation)).toBe(folder);
  expect(execFileSync(join(folder, 'greet'), { encoding: 'utf8' })).toBe('hello from v1.2.3');
  expect(readdirSync(folder).sort()).toEqual(['greet', 'greetings']);
  expect(readFileSync(join(folder, 'greetings/all.yaml'), 'utf8')).toBe('one: 1\n---\ntwo: 2\n');
  expect(inCache()).toEqual([basename(folder)]);
});

test('prepareAssets() builds nothing a second time', async () => {
  await prepareAssets(preparation);
  said = [];
  expect(await prepareAssets(preparation)).toBe(folder);
  expect(said).toEqual([]);
});

test('prepareAssets() builds once when two ask at the same time, and the second says for whom it waits', async () => {
  await Promise.all([prepareAssets(preparation), prepareAssets(preparation)]);
  expect(said.filter((line) => line.startsWith('Building greet'))).toHaveLength(1);
  expect(said).toContainEqual(expect.stringContaining(`Waiting for process ${process.pid},`));
  expect(inCache()).toEqual([basename(folder)]);
});

test('prepareAssets() takes over from a builder that died, and clears up after it', async () => {
  leaveBehind(join(`${folder}.lock`, '4194305-1'));
  leaveBehind(join(`${folder}.building-dead`, 'greet'));
  await prepareAssets(preparation);
  expect(existsSync(join(folder, 'greet'))).toBe(true);
  expect(inCache()).toEqual([basename(folder)]);
});

test('prepareAssets() takes a lock that was abandoned between its last two steps', async () => {
  mkdirSync(`${folder}.lock`, { recursive: true });
  await prepareAssets(preparation);
  expect(inCache()).toEqual([basename(folder)]);
});

test('prepareAssets() repeats what Go said when it fails, and leaves nothing', async () => {
  writeRecipe('kubernetes/cmd/hello/v2/main.go', 'package main\n\nfunc main() { undefined() }\n');
  await expect(prepareAssets(preparation)).rejects.toThrow(
    /^Cannot build greet: Go failed\. .*what it said last:\n# k8s\.io\/kubernetes\/cmd\/hello\/v2\n.*undefined: undefined/s,
  );
  expect(inCache()).toEqual([]);
});

test('prepareAssets() leaves nothing when it is interrupted', async () => {
  const interruption = new AbortController();
  const say = (line: string) => {
    if (line.startsWith('Building')) interruption.abort();
  };
  const build = prepareAssets({ ...preparation, say }, interruption.signal);
  await expect(build).rejects.toThrow('aborted');
  expect(inCache()).toEqual([]);
});

test('prepareAssets() stops waiting for another builder when it is interrupted', async () => {
  const interruption = new AbortController();
  const say = (line: string) => {
    if (line.startsWith('Waiting')) interruption.abort();
  };
  const building = prepareAssets(preparation);
  const waiting = prepareAssets({ ...preparation, say }, interruption.signal);
  await expect(waiting).rejects.toThrow('aborted');
  expect(await building).toBe(folder);
});
