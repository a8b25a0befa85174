import type { Client } from '@liqo/kube';
import { defaultValues } from '@liqo/manifests';
import { defineCommand, type Invocation, noOperands } from '../command.ts';
import { confirm } from '../confirm.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  connectionFlags,
  namespaceFlag,
  skipConfirmFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { readCluster } from '../install/read-cluster.ts';
import { describeLosses } from '../uninstall/losses.ts';
import { purge } from '../uninstall/purge.ts';
import { readLosses } from '../uninstall/read-losses.ts';
import { removeByForce } from '../uninstall/remove-by-force.ts';
import { removeInstallation } from '../uninstall/remove-installation.ts';
import { lookAtTakeDown, markForDeletion } from '../uninstall/take-down.ts';
import { waitAWhile } from '../uninstall/wait-a-while.ts';
import { UserError } from '../user-error.ts';

const flags = {
  force: {
    type: 'boolean',
    help: 'also while there are peers: what is in use is taken down first',
  },
  purge: {
    type: 'boolean',
    help: 'also removes the kinds, the keys of the cluster and the namespaces of Liqo and of its peers',
  },
  ...timeoutFlag('60s', 'how long it takes at most'),
  ...skipConfirmFlag,
  ...namespaceFlag('where Liqo is installed; "liqo" if it is not given'),
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const uninstall = defineCommand({
  path: ['uninstall'],
  summary: 'removes Liqo from a cluster',
  description:
    'Says what would be lost, and refuses while there are peers, unless --force is given: then the controllers take down what\n' +
    'is in use for half of the time, and what is left is removed by force. The kinds, and the keys of the cluster, stay for a\n' +
    'later installation under the same ID; --purge removes them too. It may be repeated.',
  examples: ['liqoctl uninstall', 'liqoctl uninstall --force --purge'],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, progress, signal } = call;
    const { namespace = defaultValues.namespace } = said;
    const { client } = await call.connect();
    const losses = await checked(call, client, namespace);
    if (!said['skip-confirm']) await confirmLosses(call, losses);
    progress.leaves({
      what: 'a part of Liqo may be removed',
      hint: 'Run it again: it goes on where it stopped',
    });
    if (losses.length > 0) await takeDown(call, client);
    await removeInstallation(call, client, { namespace, timeoutMs: said.timeout / 6 });
    if (said.force || said.purge) {
      await progress.step(
        { doing: 'Removing what is left', done: (count: number) => leftWords(count) },
        () => attempt('remove what is left', removeByForce(client, signal), 'write'),
      );
    }
    if (said.purge) await purge(call, client, { namespace, timeoutMs: said.timeout / 4 });
    progress.note('Liqo is uninstalled');
  },
});

function leftWords(count: number): string | undefined {
  return count === 0 ? undefined : `${count} objects that were left are removed`;
}

/** The losses, as clauses. */
async function checked(
  { flags: said, progress, signal }: Call,
  client: Client,
  namespace: string,
): Promise<readonly string[]> {
  const { isOfHelm } = await attempt('uninstall Liqo', readCluster(client, namespace, signal));
  if (isOfHelm) {
    const message = 'Cannot uninstall Liqo: a release of Helm has installed it';
    throw new UserError(message, { hint: `Use helm uninstall liqo -n ${namespace}` });
  }
  const losses = describeLosses(await attempt('see what is in use', readLosses(client, signal)));
  if (losses.length === 0) return losses;
  if (!said.force) {
    const message = `Cannot uninstall Liqo: it is in use by ${losses.join(', ')}`;
    const hint = 'End the peerings with liqoctl unpeer, or add --force to lose all of that';
    throw new UserError(message, { hint });
  }
  progress.warn(`This will be lost: ${losses.join(', ')}`);
  return losses;
}

function confirmLosses(call: Call, losses: readonly string[]): Promise<void> {
  const { purge: isPurge } = call.flags;
  const what = isPurge ? 'Liqo, its kinds and all objects of them' : 'Liqo';
  const also = losses.length > 0 ? ' and all that is in use' : '';
  return confirm(call, { doing: 'uninstall Liqo', warning: `${what}${also} will be removed.` });
}

/** Asks the controllers to take down what is in use, and gives them half of the time. */
async function takeDown(call: Call, client: Client): Promise<void> {
  const { flags: said, progress, signal } = call;
  await attempt('take down what is in use', markForDeletion(client, signal), 'write');
  const isDone = await waitAWhile(call, {
    doing: 'Waiting until the controllers have taken down what is in use',
    done: 'The controllers have taken down what was in use',
    timeoutMs: said.timeout / 2,
    look: (stop) => lookAtTakeDown(client, stop),
  });
  if (isDone) return;
  progress.warn(
    'The controllers have not taken down everything in time: the rest is removed by force, and what providers have of it may stay there',
  );
}
