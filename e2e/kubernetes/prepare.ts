/**
 * `npm run kubernetes [-- kwok helm nodes]`: puts real Kubernetes into a cache folder and prints that folder, alone, on stdout.
 */
import { recipeFolder } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { findMissingTools } from '../../packages/testkit/src/real-cluster/node/check-host.ts';
import { nodePackages } from './node-packages.ts';
import { type Preparation, prepareAssets } from './prepare-assets.ts';
import { baseSet, extraSets } from './programs.ts';
import { requirePlatform } from './unpack-packages.ts';
import { UserError } from './user-error.ts';

const interruptedExitCode = 130;

/** Known at once, while building takes minutes: nodes are made with programs of the machine as well. */
function checkMachine(names: readonly string[]): void {
  if (!names.includes('nodes')) return;
  requirePlatform(process.platform);
  const missing = findMissingTools(process.env.PATH ?? '');
  if (missing) throw new UserError(`Cannot prepare nodes: ${missing} Or leave "nodes" out.`);
}

function choose(names: readonly string[]): Pick<Preparation, 'sets' | 'packageSets'> {
  const chosen = names.map((name) => {
    const set = Object.hasOwn(extraSets, name) ? extraSets[name] : undefined;
    if (set) return set;
    const known = Object.keys(extraSets).join(', ');
    throw new UserError(
      `Cannot prepare "${name}": there is no such thing. Kubernetes itself is always prepared; ` +
        `what can be added: ${known}.`,
      { exitCode: 2 },
    );
  });
  return {
    sets: [baseSet, ...new Set(chosen)],
    packageSets: names.includes('nodes') ? [nodePackages] : [],
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
