import { NamespaceOffloading, ResourceSlice, Tenant, VirtualNode } from '@liqo/api';
import { type Client, isNotFound, type Kind, type KubeObject } from '@liqo/kube';
import { describeFlags, parseFlags } from '../flags.ts';
import type { Command } from '../surroundings.ts';

const flags = {} as const;

const name = 'check-unused';

/** What only the controllers can take down. */
const kinds: readonly (readonly [string, Kind<KubeObject>])[] = [
  ['virtual nodes', VirtualNode],
  ['offloaded namespaces', NamespaceOffloading],
  ['slices', ResourceSlice],
  ['consumers', Tenant],
];

/** Refuses the end of an installation that is in use: without controllers, nothing would release what is left. */
export const checkUnused: Command = {
  name,
  summary: 'fails while this cluster has peers, before an uninstallation',
  help: () => describeFlags(flags),
  async run(args, { connectHome, stdout, signal }) {
    parseFlags(name, flags, args);
    await using client = await connectHome({ userAgent: 'liqo-check-unused' });
    const uses = await findUses(client, signal);
    if (uses.length > 0) {
      throw new Error(
        `Cannot uninstall Liqo: it is in use by ${uses.join(', ')}. Nothing was removed; "helm rollback" makes the release usable again. End the peerings with "liqoctl unpeer", or lose them with "helm uninstall --no-hooks" and "liqoctl uninstall --force"`,
      );
    }
    stdout.write('Liqo is not in use\n');
  },
};

async function findUses(client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const uses: string[] = [];
  for (const [words, kind] of kinds) {
    const items = await listIfServed(client, kind, signal);
    const names = items.map(({ metadata }) => metadata.name);
    if (names.length > 0) uses.push(`${names.length} ${words} (${names.slice(0, 3).join(', ')})`);
  }
  return uses;
}

async function listIfServed(client: Client, kind: Kind<KubeObject>, signal: AbortSignal) {
  try {
    return (await client.list(kind, { signal })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
