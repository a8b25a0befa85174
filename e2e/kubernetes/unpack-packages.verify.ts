import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PackageSet } from './node-packages.ts';
import {
  holdsPackages,
  requirePlatform,
  type Unpacking,
  unpackPackages,
} from './unpack-packages.ts';

const greeter: PackageSet = {
  folder: 'greeting',
  packages: ['greeter'],
  probes: { 'bin/greet': [], 'usr/bin/greet': [] },
};

let root: string;
let said: string[];
let unpacking: Unpacking;
let target: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unpack-packages-'));
  said = [];
  target = join(root, 'target');
  mkdirSync(target);
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  unpacking = { set: greeter, env, say: (line) => said.push(line) };
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), 0o755);
}

/** A package of one program, and an apt-get that has this package to offer when `condition` holds. */
function offerPackage(program: string, condition = 'true'): void {
  const control = 'Package: greeter\nVersion: 1:2.0-3\nArchitecture: all\n';
  write('package/DEBIAN/control', `${control}Maintainer: nobody\nDescription: greets\n`);
  write('package/bin/greet', program);
  execFileSync('sh', ['-c', 'dpkg-deb --build package greeter.deb'], { cwd: root });
  write('bin/apt-get', `#!/bin/sh\n${condition} || exit 100\ncp "${root}/greeter.deb" .\n`);
}

test('unpackPackages() unpacks below one folder, where /bin and /usr/bin are the same', async () => {
  offerPackage('#!/bin/sh\necho hello\n');
  await unpackPackages(unpacking, target);
  const tree = join(target, 'greeting');
  expect(execFileSync(join(tree, 'usr/bin/greet'), { encoding: 'utf8' })).toBe('hello\n');
  expect(execFileSync(join(tree, 'bin/greet'), { encoding: 'utf8' })).toBe('hello\n');
  expect(said[1]).toMatch(/^Unpacked them in \d+ s: greeter 1:2\.0-3$/);
});

test('unpackPackages() writes the versions down, by which a tree is known to be complete', async () => {
  offerPackage('#!/bin/sh\n');
  await unpackPackages(unpacking, target);
  const tree = join(target, 'greeting');
  expect(JSON.parse(readFileSync(join(tree, 'packages.json'), 'utf8'))).toEqual({
    greeter: '1:2.0-3',
  });
  expect(holdsPackages(tree, greeter)).toBe(true);
  expect(holdsPackages(tree, { ...greeter, packages: ['greeter', 'more'] })).toBe(false);
  expect(holdsPackages(target, greeter)).toBe(false);
});

test('unpackPackages() fetches package lists of its own when those of the machine do not help', async () => {
  offerPackage('#!/bin/sh\n', 'echo "$@" | grep -q Dir::State::Lists=');
  await unpackPackages(unpacking, target);
  expect(holdsPackages(join(target, 'greeting'), greeter)).toBe(true);
});

test('unpackPackages() refuses a program that does not run here, with what it said', async () => {
  offerPackage('#!/bin/sh\necho "no libgreet.so" >&2\nexit 127\n');
  await expect(unpackPackages(unpacking, target)).rejects.toThrow(
    'Cannot prepare greeting: "bin/greet" of the Debian packages does not run on this machine; it said:\nno libgreet.so',
  );
  expect(existsSync(join(target, 'greeting/packages.json'))).toBe(false);
});

test('unpackPackages() stops when it is interrupted', async () => {
  offerPackage('#!/bin/sh\n', 'exec sleep 60');
  const interruption = new AbortController();
  const say = () => interruption.abort();
  await expect(unpackPackages({ ...unpacking, say }, target, interruption.signal)).rejects.toThrow(
    'aborted',
  );
});

test('requirePlatform() says that nodes need Linux, and what to do', () => {
  expect(() => requirePlatform('darwin', 'nodes')).toThrow(
    /^Cannot prepare nodes: .* run on Linux only, and this is "darwin"\. Use a Linux machine, .*\.$/,
  );
  expect(() => requirePlatform('linux', 'nodes')).not.toThrow();
});
