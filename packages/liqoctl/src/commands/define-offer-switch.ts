import { ClusterConfig, fixedNames } from '@liqo/api';
import { mergePatch } from '@liqo/kube';
import { type Command, defineCommand, type Invocation } from '../command.ts';
import { confirmAtTerminal } from '../confirm.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, skipConfirmFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { stepContext } from '../peering/open-side.ts';
import { workStep } from '../peering/peering-side.ts';

const flags = {
  percentage: {
    type: 'text',
    value: 'PERCENT',
    check: (text) => (/^(100|[1-9]?[0-9])$/.test(text) ? [] : ['is not a number from 0 to 100']),
    help: 'the share of what is free that each consumer is offered; 30 at first',
  },
  ...timeoutFlag('30s', 'how long a request may take'),
  ...skipConfirmFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

interface OfferSwitch {
  readonly verb: 'disable' | 'enable';
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
}

/** `offer enable` and its opposite: run at the provider, safe to repeat. */
export function defineOfferSwitch(definition: OfferSwitch): Command {
  const { verb, summary, description, examples } = definition;
  return defineCommand({
    path: ['offer', verb],
    summary,
    description,
    examples,
    operands: { placeholder: '', least: 0, most: 0 },
    flags,
    run: (call) => run(call, verb),
  });
}

async function run(call: Invocation<typeof flags>, verb: OfferSwitch['verb']): Promise<void> {
  const { flags: said, suggest, signal } = call;
  const { client } = await call.connect();
  const doing = `${verb} offers`;
  const key = { name: fixedNames.clusterConfig };
  const existing = await attempt(doing, client.get(ClusterConfig, key, signal));
  const isEnabled = verb === 'enable';
  if (!existing && !isEnabled) {
    return call.progress.note('This cluster offers nothing: it has no ClusterConfig');
  }
  if (!isEnabled) {
    const warning = 'All offers will be withdrawn, and the pods that run on them evicted.';
    await confirmAtTerminal(call, { doing, warning });
  }
  const outgoingConfig = {
    enableBroadcaster: isEnabled,
    ...(said.percentage && { resourceSharingPercentage: Number(said.percentage) }),
  };
  const spec = { advertisementConfig: { outgoingConfig } };
  const hint = `See what is offered: ${suggest('offer status')}`;
  const context = stepContext(call, { timeoutMs: said.timeout, hint });
  const done = isEnabled ? 'This cluster offers its resources' : 'The offers are being withdrawn';
  const step = {
    verb: doing,
    doing: 'Writing the ClusterConfig',
    done,
    trace: { begun: 'The ClusterConfig may be changed', done },
  };
  await workStep(context, {}, step, async () => {
    if (existing) {
      const patch = mergePatch({ metadata: { uid: existing.metadata.uid }, spec });
      await client.patch(ClusterConfig, key, patch, signal);
    } else {
      // The server fills in the rest.
      const created = { metadata: key, spec: spec as unknown as ClusterConfig['spec'] };
      await client.create(ClusterConfig, created, signal);
    }
  });
}
