import { annotations, ResourceSlice } from '@liqo/api';
import { checkDnsSubdomain, keyOf, mergePatch } from '@liqo/kube';
import { findResourceSlice } from '../cluster/find-resource-slice.ts';
import { type Command, defineCommand, type Invocation } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import { remoteClusterIDFlag } from '../flags/peering-flags.ts';
import {
  connectionFlags,
  namespaceFlag,
  skipConfirmFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { stepContext } from '../peering/open-side.ts';
import { workStep } from '../peering/peering-side.ts';

const flags = {
  ...remoteClusterIDFlag('the consumer of the slice'),
  ...timeoutFlag('2m', 'accepted for scripts: it does not wait'),
  ...skipConfirmFlag,
  ...namespaceFlag('where the slice is, if there are several of that name'),
  ...connectionFlags,
} as const satisfies FlagTable;

interface SliceCordon {
  readonly verb: 'cordon' | 'uncordon';
  readonly undo: 'cordon' | 'uncordon';
  /** The value of the annotation; null removes it. */
  readonly value: 'true' | null;
  readonly summary: string;
  readonly description: string;
  /** Without it nothing is asked. */
  readonly warning?: (slice: string, consumer: string) => string;
}

/** `cordon resourceslice` and its opposite: run at the provider, safe to repeat. */
export function defineSliceCordon(definition: SliceCordon): Command {
  const { verb, summary, description } = definition;
  return defineCommand({
    path: [verb, 'resourceslice'],
    summary,
    description,
    examples: [`liqoctl ${verb} resourceslice mypool --remote-cluster-id rome`],
    operands: { placeholder: 'NAME', least: 1, most: 1, completes: 'resourceslices' },
    flags,
    check: ({ operands: [name = ''] }) =>
      checkDnsSubdomain(name).map((fault) => `the name "${name}" ${fault}`),
    run: (call) => run(call, definition),
  });
}

async function run(call: Invocation<typeof flags>, definition: SliceCordon): Promise<void> {
  const { operands, flags: said, suggest, signal } = call;
  const { verb, undo, value, warning } = definition;
  const [name = ''] = operands;
  const peer = said['remote-cluster-id'];
  const doing = `${verb} the ResourceSlice "${name}"`;
  const { client } = await call.connect();
  const { namespace } = said;
  const wanted = { name, namespace, peer, role: 'copy', doing } as const;
  const slice = await findResourceSlice(call, client, wanted);
  const isSet = slice.metadata.annotations?.[annotations.cordon] === (value ?? undefined);
  if (isSet) return call.progress.note(`ResourceSlice "${name}" is ${verb}ed already`);
  if (warning && !said['skip-confirm']) {
    await confirm(call, { doing, warning: warning(name, peer) });
  }
  const hint = `Undo it with ${suggest(`${undo} resourceslice ${name} --remote-cluster-id ${peer}`)}`;
  const context = stepContext(call, { timeoutMs: said.timeout, hint });
  const step = {
    verb: doing,
    doing: `Marking the ResourceSlice "${name}"`,
    done: `ResourceSlice "${name}" is ${verb}ed`,
    trace: {
      begun: `ResourceSlice "${name}" may be ${verb}ed`,
      done: `ResourceSlice "${name}" is ${verb}ed`,
    },
  };
  const { uid } = slice.metadata;
  const patch = mergePatch({ metadata: { uid, annotations: { [annotations.cordon]: value } } });
  await workStep(context, {}, step, async () => {
    await client.patch(ResourceSlice, keyOf(slice), patch, signal);
  });
}
