import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  assetsFolder,
  type Environment,
  missingPrograms,
} from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { takeLock } from './build-lock.ts';
import { buildSet } from './build-set.ts';
import type { PackageSet } from './node-packages.ts';
import type { ProgramSet } from './programs.ts';
import { holdsPackages, unpackPackages } from './unpack-packages.ts';
import { UserError } from './user-error.ts';

export interface Preparation {
  readonly sets: readonly ProgramSet[];
  readonly packageSets: readonly PackageSet[];
  /** The folder that the module folders of the sets are relative to. */
  readonly recipe: string;
  readonly env: Environment;
  readonly say: (line: string) => void;
}

/**
 * The folder that holds every program of the sets. Makes what is missing, once, however many ask at the same time, and
 * at once when nothing is. A program appears in the folder when it is whole; what an earlier, killed build left beside the
 * folder is removed.
 */
export async function prepareAssets(wanted: Preparation, signal?: AbortSignal): Promise<string> {
  if (wanted.env.KUBEBUILDER_ASSETS) return checkNamedFolder(wanted.env.KUBEBUILDER_ASSETS, wanted);
  const folder = assetsFolder(wanted.env, wanted.recipe);
  if (isComplete(folder, wanted)) return folder;
  const onWait = (pid: number) =>
    wanted.say(
      `Waiting for process ${pid}, which builds the same (should it hang: remove "${folder}.lock")`,
    );
  using _lock = await takeLock(`${folder}.lock`, { onWait }, signal);
  // Packages first: whether they can be had is known in seconds, and building takes minutes.
  for (const set of missingPackages(folder, wanted)) await addPackages(set, folder, wanted, signal);
  for (const set of missingSets(folder, wanted)) await addSet(set, folder, wanted, signal);
  return folder;
}

function checkNamedFolder(folder: string, { sets, packageSets }: Preparation): string {
  const programs = [...sets.flatMap(programsOf), ...packageSets.flatMap(unpackedProgramsOf)];
  const missing = missingPrograms(folder, programs);
  if (missing.length === 0) return folder;
  throw new UserError(
    `Cannot use KUBEBUILDER_ASSETS: "${folder}" lacks ${missing.join(', ')}. Unset the variable to have ` +
      'everything built here, or name a folder that has all of them.',
  );
}

function isComplete(folder: string, wanted: Preparation): boolean {
  return missingSets(folder, wanted).length + missingPackages(folder, wanted).length === 0;
}

function missingSets(folder: string, { sets }: Preparation): readonly ProgramSet[] {
  return sets.filter((set) => missingPrograms(folder, programsOf(set)).length > 0);
}

function missingPackages(folder: string, { packageSets }: Preparation): readonly PackageSet[] {
  return packageSets.filter((set) => !holdsPackages(join(folder, set.folder), set));
}

function programsOf(set: ProgramSet): readonly string[] {
  return Object.keys(set.programs);
}

function unpackedProgramsOf(set: PackageSet): readonly string[] {
  return Object.keys(set.probes).map((program) => `${set.folder}/${program}`);
}

/** The tree appears as a whole, in the place of an older one that lacks something. */
async function addPackages(
  set: PackageSet,
  folder: string,
  wanted: Preparation,
  signal?: AbortSignal,
) {
  using staging = openStaging(folder);
  await unpackPackages({ ...wanted, set }, staging.path, signal);
  mkdirSync(folder, { recursive: true });
  discard(join(folder, set.folder));
  renameSync(join(staging.path, set.folder), join(folder, set.folder));
}

/** Files go before programs, since the presence of its programs is what says that a set is complete. */
async function addSet(set: ProgramSet, folder: string, wanted: Preparation, signal?: AbortSignal) {
  using staging = openStaging(folder);
  await buildSet({ ...wanted, set }, staging.path, signal);
  for (const name of [...Object.keys(set.files), ...programsOf(set)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    renameSync(join(staging.path, name), join(folder, name));
  }
}

/** A folder on the same disk, for renames. Whoever calls holds the lock, so any other one is of a dead build. */
function openStaging(folder: string): Disposable & { readonly path: string } {
  const prefix = `${folder}.building-`;
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(basename(prefix))) discard(join(dirname(folder), name));
  }
  const path = mkdtempSync(prefix);
  return { path, [Symbol.dispose]: () => discard(path) };
}

function discard(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
