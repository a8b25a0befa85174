import { VirtualNode } from '@liqo/api';
import {
  type Client,
  findCondition,
  isNotFound,
  keyOf,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import { findVirtualNode } from '../cluster/find-virtual-node.ts';
import { waitStep } from '../cluster/wait-step.ts';
import type { Look } from '../cluster/wait-until.ts';
import { whyUnattended } from '../cluster/why-unattended.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { confirmAtTerminal } from '../confirm.ts';
import { attempt, explain } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  checkOnePlace,
  connectionFlags,
  dryRunFlag,
  namespaceFlag,
  skipConfirmFlag,
  soughtInAllNamespacesFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';

const flags = {
  'no-wait': { type: 'boolean', help: 'does not wait until it is gone' },
  ...timeoutFlag('2m', 'how long it waits until it is gone'),
  ...dryRunFlag,
  ...namespaceFlag('where it is, if there are several of that name'),
  ...soughtInAllNamespacesFlag,
  ...skipConfirmFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const deleteVirtualNode = defineCommand({
  path: ['delete', 'virtualnode'],
  summary: 'takes virtual nodes down',
  description:
    'Deletes VirtualNodes, and waits until they are gone. Their pods are evicted first, as kubectl drain does; the Node goes\n' +
    'when they have left, and the virtual kubelet last. If one of several names is not found, nothing is deleted.',
  examples: ['liqoctl delete virtualnode mynode', 'liqoctl delete virtualnode one two --no-wait'],
  operands: { placeholder: 'NAME', least: 1, most: 100, completes: 'virtualnodes' },
  flags,
  check: ({ flags: said }) => checkOnePlace(said),
  async run(call) {
    const { operands, flags: said } = call;
    const { client } = await call.connect();
    const found: Stored<VirtualNode>[] = [];
    for (const name of new Set(operands)) {
      found.push(await findVirtualNode(call, client, { name, namespace: said.namespace }));
    }
    if (!said['dry-run']) {
      const names = quote(found);
      const warning = `The pods on ${names} will be evicted.`;
      await confirmAtTerminal(call, { doing: `delete ${names}`, warning });
    }
    for (const one of found) await takeDown(call, client, one);
  },
});

function quote(nodes: readonly Stored<VirtualNode>[]): string {
  return nodes.map(({ metadata }) => `"${metadata.name}"`).join(', ');
}

async function takeDown(
  call: Invocation<typeof flags>,
  client: Client,
  found: Stored<VirtualNode>,
): Promise<void> {
  const { flags: said, signal, progress, suggest } = call;
  const { name } = found.metadata;
  const dryRun = said['dry-run'];
  const look = suggest(`get virtualnode ${name} -o wide`);
  const step = {
    doing: `Deleting VirtualNode "${name}"`,
    done: `VirtualNode "${name}" ${dryRun ? 'would be deleted' : 'is marked for deletion'}`,
  };
  await progress.step(step, () => remove(client, found, { dryRun, signal }));
  if (dryRun) return;
  if (said['no-wait']) return warnUnattended(call, client, found);
  const hint = `It goes on without liqoctl; see how far it is: ${look}`;
  progress.leaves({ what: `VirtualNode "${name}" is marked for deletion`, hint });
  await waitStep(call, client, {
    doing: `Waiting for VirtualNode "${name}" to be gone`,
    done: `VirtualNode "${name}" is gone`,
    timeoutMs: said.timeout,
    look: (stop) => lookAtRemains(client, found, stop),
    hint,
  });
}

/** Without a controller-manager nothing removes the finalizer, so the deletion never completes. */
async function warnUnattended(
  { progress, signal }: Pick<Invocation<typeof flags>, 'progress' | 'signal'>,
  client: Client,
  found: Stored<VirtualNode>,
): Promise<void> {
  const { name } = found.metadata;
  const doing = `find out whether VirtualNode "${name}" is gone`;
  const seen = await attempt(doing, lookAtRemains(client, found, signal));
  if ('done' in seen) return;
  const unattended = await attempt(doing, whyUnattended(client, signal));
  if (unattended) progress.warn(`${unattended.why}. ${unattended.hint}`);
}

/** Only the one that was found: another one that has taken its name meanwhile stays. */
async function remove(
  client: Client,
  { metadata, ...found }: Stored<VirtualNode>,
  call: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { uid } = metadata;
  const key: ObjectKey = keyOf({ metadata, ...found });
  try {
    await client.delete(VirtualNode, key, { ...call, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw explain(`delete VirtualNode "${key.name}"`, error, 'write');
  }
}

async function lookAtRemains(
  client: Client,
  found: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Look<true>> {
  const current = await client.get(VirtualNode, keyOf(found), signal);
  if (current?.metadata.uid !== found.metadata.uid) return { done: true };
  const node = findCondition(current.status?.conditions, 'Node');
  const isGoing = node?.reason === 'Terminating' && node.message;
  return { notYet: isGoing || 'the controllers of Liqo have not taken it down yet' };
}
