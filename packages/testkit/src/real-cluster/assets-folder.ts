import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { requiredVersion } from './required-version.ts';

/**
 * Where the programs of real Kubernetes are: the folder named by `KUBEBUILDER_ASSETS`, or the one that
 * `npm run kubernetes` fills. The second is named after what it was built from, so that a change of a version is a
 * folder of its own and never a mixture.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The Go modules of versions and the table of programs: everything that decides what is built. */
export const recipeFolder = join(import.meta.dirname, '../../../../e2e/kubernetes');

const ingredients = new Set(['go.mod', 'go.sum', 'programs.ts']);

/** The folder of our own build, whether or not it is there yet. */
export function assetsFolder(env: Environment, recipe = recipeFolder): string {
  const version = requiredVersion(
    readFileSync(join(recipe, 'go.mod'), 'utf8'),
    'k8s.io/kubernetes',
  );
  const name = `${version.slice(1)}-${hashRecipe(recipe)}`;
  return join(cacheHome(env), 'liqo-ts', 'kubernetes', name);
}

export function missingPrograms(folder: string, programs: readonly string[]): readonly string[] {
  return programs.filter((program) => !existsSync(join(folder, program)));
}

/**
 * The folder that holds all of these programs; an error says how to get what is missing. `sets` are the names by which
 * the preparation knows those of them that it does not always make.
 */
export function findAssets(
  programs: readonly string[],
  env: Environment,
  sets: readonly string[] = [],
): string {
  const named = env.KUBEBUILDER_ASSETS;
  const folder = named || assetsFolder(env);
  const missing = missingPrograms(folder, programs);
  if (missing.length === 0) return folder;
  const fact = `"${folder}" lacks ${missing.join(', ')}`;
  const prepare = ['npm run kubernetes', ...sets.slice(0, 1).map(() => '--'), ...sets].join(' ');
  throw new Error(
    named
      ? `Cannot use KUBEBUILDER_ASSETS: ${fact}. Name a folder that has them, or unset the variable and run "${prepare}"`
      : `Cannot find real Kubernetes: ${fact}. Run "${prepare}" first`,
  );
}

function cacheHome(env: Environment): string {
  const named = env.XDG_CACHE_HOME;
  return named && isAbsolute(named) ? named : join(homedir(), '.cache');
}

function hashRecipe(recipe: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(recipe, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => ingredients.has(basename(path))).sort()) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(recipe, file)))
      .update('\n');
  }
  return hash.digest('hex').slice(0, 12);
}
