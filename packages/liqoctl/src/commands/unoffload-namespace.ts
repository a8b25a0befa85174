import { fixedNames, labels, NamespaceOffloading } from '@liqo/api';
import {
  type Client,
  checkDnsLabel,
  isNotFound,
  mergePatch,
  Namespace,
  type Stored,
} from '@liqo/kube';
import { checkNamespaceChoice, chooseNamespaces } from '../cluster/choose-namespaces.ts';
import { providersWithNamespace } from '../cluster/providers-with-namespace.ts';
import { waitStep } from '../cluster/wait-step.ts';
import type { Look } from '../cluster/wait-until.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { confirm } from '../confirm.ts';
import { attempt, explain } from '../explain.ts';
import { checkSelector } from '../flags/check-selector.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  connectionFlags,
  dryRunFlag,
  skipConfirmFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';

const flags = {
  'ns-selector': {
    type: 'text',
    value: 'SELECTOR',
    check: checkSelector,
    help: 'the namespaces with these labels, in place of names',
  },
  'no-wait': { type: 'boolean', help: 'does not wait until the providers have removed them' },
  ...timeoutFlag('2m', 'how long it waits until the providers have removed them'),
  ...skipConfirmFlag,
  ...dryRunFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const unoffloadNamespace = defineCommand({
  path: ['unoffload', 'namespace'],
  summary: 'takes namespaces back from the providers',
  description:
    'Ends the offloading of each namespace, and waits until the providers have removed it with everything in it. The\n' +
    `namespace here stays, and loses the label ${labels.enabled}.`,
  examples: [
    'liqoctl unoffload namespace shop',
    'liqoctl unoffload namespace --ns-selector team=web --skip-confirm',
  ],
  operands: { placeholder: 'NAME', least: 0, most: 100, completes: 'namespaces' },
  flags,
  check: ({ operands, flags: said }) => [
    ...checkNamespaceChoice(operands, said['ns-selector']),
    ...operands.flatMap((name) =>
      checkDnsLabel(name).map((fault) => `the namespace "${name}" ${fault}`),
    ),
  ],
  async run(call) {
    const { operands, flags: said, signal, progress } = call;
    const { client } = await call.connect();
    const choice = { names: operands, selector: said['ns-selector'] };
    const namespaces = await chooseNamespaces(client, choice, signal);
    const found = await keepOffloaded(
      call,
      client,
      namespaces.map(({ metadata }) => metadata.name),
    );
    const offloaded = found.map(({ metadata }) => metadata.namespace ?? '');
    if (offloaded.length === 0) return progress.warn('No namespace is offloaded: nothing to do');
    if (!said['dry-run'] && !said['skip-confirm']) {
      await confirm(call, {
        doing: `unoffload ${offloaded.join(', ')}`,
        warning: describeLoss(found),
      });
    }
    const enabled = new Set(namespaces.filter(isEnabled).map(({ metadata }) => metadata.name));
    for (const namespace of offloaded) {
      await unoffload(call, client, namespace, enabled.has(namespace));
    }
    if (said['dry-run'] || said['no-wait']) return;
    for (const namespace of offloaded) await waitForProviders(call, client, namespace);
  },
});

async function keepOffloaded(
  { signal, progress }: Call,
  client: Client,
  names: readonly string[],
): Promise<readonly Stored<NamespaceOffloading>[]> {
  const kept: Stored<NamespaceOffloading>[] = [];
  for (const namespace of names) {
    const reading = client.get(NamespaceOffloading, keyIn(namespace), signal);
    const offloading = await attempt(`unoffload the namespace "${namespace}"`, reading);
    if (offloading) kept.push(offloading);
    else if (names.length > 1) progress.note(`Namespace "${namespace}" is not offloaded`);
  }
  return kept;
}

/** What the providers will remove, by name: a provider that has nothing of a namespace is not mentioned. */
function describeLoss(offloadings: readonly Stored<NamespaceOffloading>[]): string {
  const clauses = offloadings.map((offloading) => {
    const namespace = `"${offloading.metadata.namespace}"`;
    const providers = providersWithNamespace(offloading);
    if (providers.length === 0) return `no provider has ${namespace}`;
    const [they, have] = [providers.join(', '), providers.length === 1 ? 'it has' : 'they have'];
    return `${they} will remove what ${have} of ${namespace}, pods included`;
  });
  return `${clauses.join('; ').replace(/^no/, 'No')}.`;
}

function isEnabled({ metadata }: Namespace): boolean {
  return metadata?.labels?.[labels.enabled] === 'true';
}

/** With the label, the controllers would offload the namespace again: it is removed first. */
async function unoffload(
  call: Call,
  client: Client,
  namespace: string,
  hasLabel: boolean,
): Promise<void> {
  const { flags: said, progress, signal } = call;
  const dryRun = said['dry-run'];
  const step = {
    doing: `Ending the offloading of the namespace "${namespace}"`,
    done: `Namespace "${namespace}" ${dryRun ? 'would' : 'will'} be taken back`,
  };
  await progress.step(step, async () => {
    if (hasLabel) {
      const change = mergePatch({ metadata: { labels: { [labels.enabled]: null } } });
      const patching = client.patch(Namespace, { name: namespace }, change, { dryRun, signal });
      await attempt(`unoffload the namespace "${namespace}"`, patching, 'write');
    }
    try {
      await client.delete(NamespaceOffloading, keyIn(namespace), { dryRun, signal });
    } catch (error) {
      if (!isNotFound(error))
        throw explain(`unoffload the namespace "${namespace}"`, error, 'write');
    }
  });
  if (!dryRun)
    progress.leaves({
      what: `Namespace "${namespace}" is being taken back`,
      hint: lookAt(namespace),
    });
}

async function waitForProviders(call: Call, client: Client, namespace: string): Promise<void> {
  await waitStep(call, client, {
    doing: `Waiting for the providers to remove the namespace "${namespace}"`,
    done: `Namespace "${namespace}" is no longer offloaded`,
    timeoutMs: call.flags.timeout,
    look: (signal) => lookAtRemains(client, namespace, signal),
    hint: lookAt(namespace),
  });
}

async function lookAtRemains(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<Look<true>> {
  const offloading = await client.get(NamespaceOffloading, keyIn(namespace), signal);
  if (!offloading?.metadata.deletionTimestamp) return { done: true };
  const left = providersWithNamespace(offloading);
  return {
    notYet:
      left.length > 0
        ? `it still exists at ${left.join(', ')}`
        : 'the controllers of Liqo have not completed it yet',
  };
}

function keyIn(namespace: string) {
  return { namespace, name: fixedNames.namespaceOffloading };
}

function lookAt(namespace: string): string {
  return `It goes on without liqoctl; see how far it is: kubectl describe namespaceoffloading -n ${namespace}`;
}
