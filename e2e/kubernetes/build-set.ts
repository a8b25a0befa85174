import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Environment } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { requiredVersion } from '../../packages/testkit/src/real-cluster/required-version.ts';
import { requireGo } from './go-toolchain.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { ProgramSet } from './programs.ts';
import { GoError, runGo } from './run-go.ts';
import { sayDuration } from './say-duration.ts';
import { UserError } from './user-error.ts';

export interface Build {
  readonly set: ProgramSet;
  /** The folder that the module folders of the sets are relative to. */
  readonly recipe: string;
  readonly env: Environment;
  /** Progress, a line at a time. */
  readonly say: (line: string) => void;
}

/** Builds the programs of a set, and gathers its files, into `target`, an empty folder. */
export async function buildSet(build: Build, target: string, signal?: AbortSignal): Promise<void> {
  const names = Object.keys(build.set.programs).join(', ');
  const go = await requireGo(join(build.recipe, build.set.module), build.env, signal);
  build.say(`Building ${names} with ${go} (about ${build.set.minutes} min the first time)`);
  const startedMs = performance.now();
  try {
    await compile(build, target, signal);
    await gatherFiles(build, target, signal);
  } catch (error) {
    throw error instanceof GoError ? explain(error, names) : error;
  }
  build.say(`Built ${names} in ${sayDuration(performance.now() - startedMs)}`);
}

/** All programs of a set in one command: they share most of what there is to compile. */
async function compile({ set, recipe, env, say }: Build, target: string, signal?: AbortSignal) {
  const module = join(recipe, set.module);
  const version = requiredVersion(readFileSync(join(module, 'go.mod'), 'utf8'), set.release);
  const args = ['build', '-v', '-trimpath', '-mod=readonly', '-buildvcs=false'];
  args.push('-ldflags', linkerFlags(set.variables(version)), '-o', `${target}/`);
  args.push(...Object.values(set.programs));
  using heartbeat = startHeartbeat(say);
  // Go leaves its working folder behind when it is ended; in the target it goes with everything else.
  const build = { args, module, env: { ...env, GOTMPDIR: target }, onLine: heartbeat.note };
  await runGo(build, signal);
  for (const [name, path] of Object.entries(set.programs)) {
    renameSync(join(target, goBinaryName(path)), join(target, name));
  }
}

function linkerFlags(variables: Readonly<Record<string, string>>): string {
  const settings = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`);
  return ['-s', '-w', ...settings].join(' ');
}

/** How `go build` calls a program: the last element of its package, unless that is a major version. */
function goBinaryName(path: string): string {
  return basename(/\/v\d+$/.test(path) ? dirname(path) : path);
}

async function gatherFiles({ set, recipe, env }: Build, target: string, signal?: AbortSignal) {
  const files = Object.entries(set.files);
  if (files.length === 0) return;
  const args = ['list', '-m', '-f', '{{.Dir}}', set.release];
  const source = await runGo({ args, module: join(recipe, set.module), env }, signal);
  for (const [name, parts] of files) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    const documents = parts.map((part) => readFileSync(join(source, part), 'utf8'));
    writeFileSync(join(target, name), documents.join('---\n'));
  }
}

function explain(error: GoError, names: string): UserError {
  return new UserError(
    `Cannot build ${names}: Go failed. When it could not download a module, check the network and ` +
      `"go env GOPROXY"; what it said last:\n${error.said}`,
    { cause: error },
  );
}
