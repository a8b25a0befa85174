import { ResourceSlice, Tenant, VirtualNode } from '@liqo/api';
import { type Kind, Namespace } from '@liqo/kube';
import { loadKubeconfig } from '@liqo/kube/node';
import { type ClusterChoice, connectCluster } from '../cluster/connect-cluster.ts';
import type { Command } from '../command.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import { connectionFlags } from '../flags/shared-flags.ts';
import type { Surroundings } from '../surroundings.ts';
import { complete, type Things } from './complete.ts';

/** Whoever presses a key does not wait any longer. */
const patienceMs = 2_000;

/** The candidates for the last of the words. What cannot be had, for whatever reason, has none. */
export async function completeCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  around: Surroundings,
): Promise<readonly string[]> {
  const completion = complete(commands, words);
  if (completion.type === 'words') return completion.words;
  const start = words.at(-1) ?? '';
  try {
    const names = await nameThings(completion.of, completion.args, around);
    return names.filter((name) => name.startsWith(start)).toSorted();
  } catch {
    // A completion has nobody to complain to: without candidates the shell offers files.
    return [];
  }
}

async function nameThings(
  things: Things,
  args: readonly string[],
  around: Surroundings,
): Promise<readonly string[]> {
  const choice = parseFlags(args, connectionFlags).values as ClusterChoice;
  if (things === 'files') return [];
  if (!isOfKubeconfig(things)) return nameObjects(kinds[things], choice, around);
  const { env } = around;
  const config = await loadKubeconfig({ path: choice.kubeconfig, env, homeDir: env.HOME });
  return config[things].map(({ name }) => name);
}

type OfKubeconfig = 'clusters' | 'contexts' | 'users';

function isOfKubeconfig(things: Things): things is OfKubeconfig {
  return things === 'clusters' || things === 'contexts' || things === 'users';
}

const kinds: Readonly<Record<Exclude<Things, OfKubeconfig | 'files'>, Kind>> = {
  virtualnodes: VirtualNode,
  namespaces: Namespace,
  tenants: Tenant,
  resourceslices: ResourceSlice,
};

async function nameObjects(
  kind: Kind,
  choice: ClusterChoice,
  around: Surroundings,
): Promise<readonly string[]> {
  const options = { ...around, where: 'local', onMessage: () => undefined } as const;
  const { client } = await connectCluster(choice, options);
  try {
    const call = { signal: around.signal, timeoutMs: patienceMs };
    return (await client.list(kind, call)).items.map(({ metadata }) => metadata.name);
  } finally {
    await client[Symbol.asyncDispose]();
  }
}
