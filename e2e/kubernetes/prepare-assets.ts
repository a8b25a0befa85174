import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  assetsFolder,
  type Environment,
  missingPrograms,
} from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { takeLock } from './build-lock.ts';
import { buildSet } from './build-set.ts';
import type { ProgramSet } from './programs.ts';
import { UserError } from './user-error.ts';

export interface Preparation {
  readonly sets: readonly ProgramSet[];
  /** The folder that the module folders of the sets are relative to. */
  readonly recipe: string;
  readonly env: Environment;
  readonly say: (line: string) => void;
}

/**
 * The folder that holds every program of the sets. Builds what is missing, once, however many ask at the same time, and
 * at once when nothing is. A program appears in the folder when it is whole; what an earlier, killed build left beside the
 * folder is removed.
 */
export async function prepareAssets(wanted: Preparation, signal?: AbortSignal): Promise<string> {
  if (wanted.env.KUBEBUILDER_ASSETS) return checkNamedFolder(wanted.env.KUBEBUILDER_ASSETS, wanted);
  const folder = assetsFolder(wanted.env, wanted.recipe);
  if (missingSets(folder, wanted.sets).length === 0) return folder;
  const onWait = (pid: number) =>
    wanted.say(
      `Waiting for process ${pid}, which builds the same (should it hang: remove "${folder}.lock")`,
    );
  using _lock = await takeLock(`${folder}.lock`, { onWait }, signal);
  for (const set of missingSets(folder, wanted.sets)) await addSet(set, folder, wanted, signal);
  return folder;
}

function checkNamedFolder(folder: string, { sets }: Preparation): string {
  const missing = missingPrograms(folder, sets.flatMap(programsOf));
  if (missing.length === 0) return folder;
  throw new UserError(
    `Cannot use KUBEBUILDER_ASSETS: "${folder}" lacks ${missing.join(', ')}. Unset the variable to have ` +
      'everything built here, or name a folder that has all of them.',
  );
}

function missingSets(folder: string, sets: readonly ProgramSet[]): readonly ProgramSet[] {
  return sets.filter((set) => missingPrograms(folder, programsOf(set)).length > 0);
}

function programsOf(set: ProgramSet): readonly string[] {
  return Object.keys(set.programs);
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
