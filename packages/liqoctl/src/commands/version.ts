import { Deployment } from '@liqo/kube';
import manifest from '../../package.json' with { type: 'json' };
import { defineCommand, noOperands } from '../command.ts';
import { attempt } from '../explain.ts';
import { connectionFlags, namespaceFlag } from '../flags/shared-flags.ts';
import { controllerManagerName, serverVersion } from '../info/server-version.ts';
import { UserError } from '../user-error.ts';

export const version = defineCommand({
  path: ['version'],
  summary: 'says which version this is, and which one the cluster has',
  description: 'Prints the version of liqoctl, and the one of the installation in the cluster.',
  examples: ['liqoctl version', 'liqoctl version --client'],
  operands: noOperands,
  flags: {
    client: { type: 'boolean', help: 'the version of liqoctl only; needs no cluster' },
    ...namespaceFlag('where Liqo is installed, if not in "liqo"'),
    ...connectionFlags,
  },
  async run({ flags, signal, connect, print, progress, suggest }) {
    print(`Client version: ${manifest.version}\n`);
    if (flags.client) return;
    const doing = 'tell the version of the cluster';
    const namespace = flags.namespace ?? 'liqo';
    const { client } = await connect();
    const key = { namespace, name: controllerManagerName };
    const deployment = await attempt(doing, client.get(Deployment, key, signal));
    if (!deployment) {
      const why = `Liqo is not installed in the namespace "${namespace}" of this cluster`;
      const hint = `Name its namespace with -n, choose another cluster with --context, or ask for the client alone: ${suggest('version --client')}`;
      throw new UserError(`Cannot ${doing}: ${why}`, { hint });
    }
    const server = serverVersion(deployment) ?? 'unknown';
    print(`Server version: ${server}\n`);
    if (isMismatch(server)) {
      progress.warn(
        `liqoctl and the cluster are of different versions: use liqoctl ${server} with this cluster`,
      );
    }
  },
});

/** Only what looks like a version can be compared with one. */
function isMismatch(server: string): boolean {
  const plain = server.replace(/^v/, '');
  return /^\d+\.\d+\.\d+/.test(plain) && plain !== manifest.version;
}
