import { type Client, CustomResourceDefinition, deadline } from '@liqo/kube';
import { forgeKinds } from '@liqo/manifests';
import { describeFlags, parseFlags } from '../flags.ts';
import type { Command } from '../surroundings.ts';

const flags = {
  'timeout-seconds': { type: 'number', default: '60', help: 'how long it may take' },
} as const;

const name = 'upgrade-kinds';

/** Brings the kinds of a cluster to this version: Helm itself never changes a kind that is there. */
export const upgradeKinds: Command = {
  name,
  summary: 'writes the kinds of this version, before an upgrade',
  help: () => describeFlags(flags),
  async run(args, { clock, connectHome, stdout, signal }) {
    const { 'timeout-seconds': seconds } = parseFlags(name, flags, args);
    await using client = await connectHome({ userAgent: 'liqo-upgrade-kinds' });
    using limit = deadline(clock, seconds * 1000, `The kinds are not written after ${seconds} s`);
    const count = await writeKinds(client, AbortSignal.any([signal, limit.signal]));
    stdout.write(`${count} kinds are those of this version\n`);
  },
};

async function writeKinds(client: Client, signal: AbortSignal): Promise<number> {
  const kinds = forgeKinds();
  for (const kind of kinds) {
    await client.apply(CustomResourceDefinition, kind, {
      fieldManager: 'liqo-upgrade-kinds',
      force: true,
      signal,
    });
  }
  return kinds.length;
}
