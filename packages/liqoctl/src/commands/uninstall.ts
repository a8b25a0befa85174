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
import { formatElapsed } from '../output/format-elapsed.ts';
import { inTime, repeatInTime } from '../uninstall/in-time.ts';
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
    const { flags: said, progress } = call;
    const { namespace = defaultValues.namespace } = said;
    const { clock } = call.around;
    const { client } = await call.connect();
    const startedMs = clock.monotonicMs();
    const losses = await checked(call, client, namespace);
    const leftMs = said.timeout - (clock.monotonicMs() - startedMs);
    if (!said['skip-confirm']) await confirmLosses(call, losses);
    // The time in which a person decides is not counted.
    const endsMs = clock.monotonicMs() + leftMs;
    progress.leaves({
      what: 'a part of Liqo may be removed',
      hint: 'Run it again: it goes on where it stopped',
    });
    if (losses.length > 0) await takeDown(call, client);
    const left = [
      await removeInstallation(call, client, { namespace, timeoutMs: said.timeout * parts.remove }),
      said.force || said.purge
        ? await removeLeftovers(call, client, (endsMs - clock.monotonicMs()) / (said.purge ? 2 : 1))
        : undefined,
      said.purge
        ? await purge(call, client, { namespace, timeoutMs: endsMs - clock.monotonicMs() })
        : undefined,
    ].filter((why) => why !== undefined);
    if (left.length > 0) {
      const message = `Cannot uninstall Liqo completely: after ${formatElapsed(said.timeout)}, ${left.join(', and ')}`;
      throw new UserError(message, { hint: 'Run it again: it goes on where it stopped' });
    }
    progress.note('Liqo is uninstalled');
  },
});

const longestCheckMs = 5_000;
/** Of the time; the rest is for what is left. */
const parts = { takeDown: 1 / 2, remove: 1 / 6 };

/** What the controllers have not taken down. Why some of it is left; undefined if nothing is. */
async function removeLeftovers(
  call: Call,
  client: Client,
  timeoutMs: number,
): Promise<string | undefined> {
  const step = {
    doing: 'Removing what is left',
    done: (removed: { readonly result: number } | undefined) => leftWords(removed?.result ?? 0),
  };
  const removed = await call.progress.step(step, () => {
    const work = (signal: AbortSignal) => removeByForce(client, signal);
    const removal = repeatInTime(call, timeoutMs, work);
    return attempt('remove what is left', removal, 'write');
  });
  return removed ? undefined : 'not everything that was in use is removed';
}

function leftWords(count: number): string | undefined {
  return count === 0 ? undefined : `${count} objects that were left are removed`;
}

/** The losses, as clauses. */
async function checked(call: Call, client: Client, namespace: string): Promise<readonly string[]> {
  const { flags: said, progress } = call;
  const read = async (stop: AbortSignal) => {
    const { isOfHelm } = await readCluster(client, namespace, stop);
    return { isOfHelm, inUse: await readLosses(client, stop) };
  };
  const reading = inTime(call, Math.min(said.timeout, longestCheckMs), read);
  const found = await attempt('uninstall Liqo', reading);
  if (!found) {
    const message = 'Cannot uninstall Liqo: the API server does not answer in time';
    throw new UserError(message, { hint: 'Try again when it answers, or with a longer --timeout' });
  }
  const { isOfHelm, inUse } = found.result;
  if (isOfHelm) {
    const message = 'Cannot uninstall Liqo: a release of Helm has installed it';
    throw new UserError(message, { hint: `Use helm uninstall liqo -n ${namespace}` });
  }
  const losses = describeLosses(inUse);
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
  const { flags: said, progress, around } = call;
  const startedMs = around.clock.monotonicMs();
  const timeoutMs = said.timeout * parts.takeDown;
  const marking = repeatInTime(call, timeoutMs, (stop) => markForDeletion(client, stop));
  const isMarked = await attempt('take down what is in use', marking, 'write');
  const why =
    isMarked &&
    (await waitAWhile(call, {
      doing: 'Waiting until the controllers have taken down what is in use',
      done: 'The controllers have taken down what was in use',
      timeoutMs: timeoutMs - (around.clock.monotonicMs() - startedMs),
      look: (stop) => lookAtTakeDown(client, stop),
    }));
  if (isMarked && why === undefined) return;
  progress.warn(
    'The controllers have not taken down everything in time: the rest is removed by force, and what providers have of it may stay there',
  );
}
