import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = import.meta.dirname;
const usages = [
  ['liqo', /^liqo <command> \[flags\]\n/],
  ['liqoctl', /^liqoctl .*\n\nCommands:\n/],
] as const;

function run(program: string, args: readonly string[], cwd: string): string {
  // npm adds variables for its scripts, which change what npx does.
  const { PATH, HOME } = process.env;
  return execFileSync(program, [...args], { cwd, env: { PATH, HOME }, encoding: 'utf8' });
}

test.each(usages)('npx runs %s from source in a clone', (name, usage) => {
  // "--no" makes npx fail where it would otherwise ask the registry for a package of this name.
  expect(run('npx', ['--no', '--', name, '--help'], root)).toMatch(usage);
});

describe('npm run build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'executables-'));
  const dist = join(folder, 'dist');

  beforeAll(() => run('npx', ['--no', '--', 'tsx', 'build.ts', dist], root));

  afterAll(() => rmSync(folder, { recursive: true }));

  test('makes one file of each executable', () => {
    const files = ['liqo.mjs', 'liqo.spdx.json', 'liqoctl', 'liqoctl.mjs', 'liqoctl.spdx.json'];
    expect(readdirSync(dist).sort()).toEqual(files);
  });

  test('writes a bill of the packages in each executable, and of what the image runs it with', () => {
    const bill = (name: string) =>
      JSON.parse(readFileSync(join(dist, `${name}.spdx.json`), 'utf8'));
    const names = (name: string) => bill(name).packages.map((part: { name: string }) => part.name);
    expect(names('liqoctl')).toEqual(expect.arrayContaining(['liqoctl', 'js-yaml', 'asn1js']));
    expect(names('liqo')).toEqual(expect.arrayContaining(['liqo', 'pino', 'node', 'glibc']));
  });

  test('makes a package that is installed as liqoctl, and as a plugin of kubectl', () => {
    const [{ filename }] = JSON.parse(
      run('npm', ['pack', '--json', join(dist, 'liqoctl')], folder),
    );
    const prefix = join(folder, 'prefix');
    const options = ['--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix];
    run('npm', ['install', ...options, join(folder, filename)], folder);
    for (const name of ['liqoctl', 'kubectl-liqo']) {
      expect(run(join(prefix, 'bin', name), ['--version'], folder)).toMatch(/^Client version: /);
    }
  });

  test.each(usages)(
    'makes %s.mjs, which runs outside the clone and by a symlink',
    (name, usage) => {
      const program = join(dist, `${name}.mjs`);
      expect(run(program, ['--help'], folder)).toMatch(usage);
      const link = join(folder, name);
      symlinkSync(program, link);
      expect(run(link, ['--help'], folder)).toMatch(usage);
    },
  );
});
