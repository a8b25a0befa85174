/**
 * `npm run kubernetes [-- kwok helm nodes shells]`: puts real Kubernetes into a cache folder and prints that folder, alone, on stdout.
 */
import { recipeFolder } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { findMissingTools } from '../../packages/testkit/src/real-cluster/node/check-host.ts';
import { nodePackages, type PackageSet } from './node-packages.ts';
import { type Preparation, prepareAssets } from './prepare-assets.ts';
import { baseSet, extraSets } from './programs.ts';
import { shellPackages } from './shell-packages.ts';
import { requirePlatform } from './unpack-packages.ts';
import { UserError } from './user-error.ts';

const interruptedExitCode = 130;

/** What goes with the program sets of the same names, or stands alone. */
const packageSets: Readonly<Record<string, PackageSet>> = {
  nodes: nodePackages,
  shells: shellPackages,
};

/** Known at once, while building takes minutes: nodes are made with programs of the machine as well. */
function checkMachine(names: readonly string[]): void {
  if (!names.includes('nodes')) return;
  requirePlatform(process.platform, 'nodes');
  const missing = findMissingTools(process.env.PATH ?? '');
  if (missing) throw new UserError(`Cannot prepare nodes: ${missing} Or leave "nodes" out.`);
}

function choose(names: readonly string[]): Pick<Preparation, 'sets' | 'packageSets'> {
  const known = new Set([...Object.keys(extraSets), ...Object.keys(packageSets)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new UserError(
      `Cannot prepare "${unknown}": there is no such thing. Kubernetes itself is always prepared; ` +
        `what can be added: ${[...known].join(', ')}.`,
      { exitCode: 2 },
    );
  }
  const chosen = [...new Set(names)];
  return {
    sets: [baseSet, ...chosen.flatMap((name) => extraSets[name] ?? [])],
    packageSets: chosen.flatMap((name) => packageSets[name] ?? []),
  };
}

async function main(names: readonly string[], signal: AbortSignal): Promise<number> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  try {
    const chosen = choose(names);
    checkMachine(names);
    const preparation = { ...chosen, recipe: recipeFolder, env: process.env, say };
    const folder = await prepareAssets(preparation, signal);
    process.stdout.write(`${folder}\n`);
    return 0;
  } catch (error) {
    if (signal.aborted) return interruptedExitCode;
    if (!(error instanceof UserError)) throw error;
    say(error.message);
    return error.exitCode;
  }
}

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interruption.abort());
}
process.exitCode = await main(process.argv.slice(2), interruption.signal);
