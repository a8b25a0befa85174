import { Advertisement } from '@liqo/api';
import { keyOf, mergePatch } from '@liqo/kube';
import { findAdvertisement } from '../cluster/find-advertisement.ts';
import { type Command, defineCommand, type Invocation } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, skipConfirmFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { stepContext } from '../peering/open-side.ts';
import { workStep } from '../peering/peering-side.ts';

const flags = {
  ...timeoutFlag('30s', 'how long a request may take'),
  ...skipConfirmFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

interface OfferDecision {
  readonly verb: 'accept' | 'refuse';
  readonly undo: 'accept' | 'refuse';
  readonly value: 'Accepted' | 'Refused';
  readonly summary: string;
  readonly description: string;
}

/** `advertisement accept` and its opposite: run at the consumer, safe to repeat. */
export function defineOfferDecision(definition: OfferDecision): Command {
  const { verb, summary, description } = definition;
  return defineCommand({
    path: ['advertisement', verb],
    summary,
    description,
    examples: [`liqoctl advertisement ${verb} milan`],
    operands: { placeholder: 'PROVIDER', least: 1, most: 1 },
    flags,
    run: (call) => run(call, definition),
  });
}

async function run(
  call: Invocation<typeof flags>,
  { verb, undo, value }: OfferDecision,
): Promise<void> {
  const { operands, flags: said, suggest, signal } = call;
  const [named = ''] = operands;
  const { client } = await call.connect();
  const doing = `${verb} the offer of "${named}"`;
  const offer = await findAdvertisement(call, client, { named, doing });
  const { providerClusterID: provider } = offer.spec;
  const decision = offer.status?.decision;
  const done = `The offer of "${provider}" is ${value.toLowerCase()}`;
  if (decision?.source === 'Manual' && decision.value === value) {
    return call.progress.note(`${done} by hand already`);
  }
  if (value === 'Refused' && offer.status?.phase === 'Accepted' && !said['skip-confirm']) {
    const warning = `The pods on the virtual node of "${provider}" will be evicted, and the Node deleted.`;
    await confirm(call, { doing, warning });
  }
  const hint = `Undo it with ${suggest(`advertisement ${undo} ${provider}`)}`;
  const context = stepContext(call, { timeoutMs: said.timeout, hint });
  const step = {
    verb: doing,
    doing: `Deciding about the offer of "${provider}"`,
    done,
    trace: { begun: `The offer of "${provider}" may be ${value.toLowerCase()}`, done },
  };
  // Without reason and time: the controller completes a decision of a person.
  const status = { decision: { value, source: 'Manual', reason: null, time: null } };
  const patch = mergePatch({ metadata: { uid: offer.metadata.uid }, status });
  await workStep(context, {}, step, async () => {
    await client.patch(Advertisement, keyOf(offer), patch, { subresource: 'status', signal });
  });
}
