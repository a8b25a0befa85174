import { annotations as annotationKeys, fixedNames, NamespaceOffloading } from '@liqo/api';
import {
  type Client,
  checkDnsLabel,
  type Namespace,
  parseLabelSelector,
  type Stored,
} from '@liqo/kube';
import { checkNamespaceChoice, chooseNamespaces } from '../cluster/choose-namespaces.ts';
import { lookAtOffloading } from '../cluster/look-at-offloading.ts';
import {
  refuseReservedNames,
  refuseReservedNamespaces,
} from '../cluster/refuse-reserved-namespaces.ts';
import { waitStep } from '../cluster/wait-step.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import { checkSelector } from '../flags/check-selector.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  connectionFlags,
  dryRunFlag,
  globalMetadataFlags,
  outputFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { forgeNamespaceOffloading } from '../forge-namespace-offloading.ts';
import { renderJson, renderYaml } from '../output/render-objects.ts';
import { UserError } from '../user-error.ts';

const flags = {
  'namespace-mapping-strategy': {
    type: 'choice',
    choices: ['DefaultName', 'EnforceSameName', 'SelectedName'],
    value: 'STRATEGY',
    default: 'DefaultName',
    help: 'its name at the providers: DefaultName, EnforceSameName or SelectedName',
  },
  'pod-offloading-strategy': {
    type: 'choice',
    choices: ['LocalAndRemote', 'Local', 'Remote'],
    value: 'STRATEGY',
    default: 'LocalAndRemote',
    help: 'where its pods may run: LocalAndRemote, Local or Remote',
  },
  'remote-namespace-name': {
    type: 'text',
    value: 'NAME',
    check: checkDnsLabel,
    help: 'its name at the providers, with the strategy SelectedName',
  },
  selector: {
    type: 'repeated',
    short: 'l',
    value: 'SELECTOR',
    check: checkSelector,
    help: 'the providers, by the labels of their virtual nodes; when repeated, one of them has to hold',
  },
  'ns-selector': {
    type: 'text',
    value: 'SELECTOR',
    check: checkSelector,
    help: 'the namespaces with these labels, in place of names',
  },
  'no-wait': { type: 'boolean', help: 'does not wait until the providers have the namespaces' },
  ...timeoutFlag('20s', 'how long it waits until the providers have the namespaces'),
  ...outputFlag(['json', 'yaml'], 'prints the manifests, and offloads nothing'),
  ...dryRunFlag,
  ...globalMetadataFlags,
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

/** What is to be, and what is there. */
interface Plan {
  readonly namespace: string;
  readonly wanted: NamespaceOffloading;
  readonly existing: Stored<NamespaceOffloading> | undefined;
}

export const offloadNamespace = defineCommand({
  path: ['offload', 'namespace'],
  summary: 'extends namespaces to the providers',
  description:
    'Creates or changes the NamespaceOffloading of each namespace, and waits until the providers have it. From then on pods\n' +
    'of the namespace may run at the providers. With -o the manifests are printed instead.',
  examples: [
    'liqoctl offload namespace shop',
    'liqoctl offload namespace shop --pod-offloading-strategy Remote -l region=eu -l region=us,tier=gold',
    'liqoctl offload namespace shop --namespace-mapping-strategy EnforceSameName -o yaml',
  ],
  operands: { placeholder: 'NAME', least: 0, most: 100, completes: 'namespaces' },
  flags,
  check: ({ operands, flags: said }) => {
    const isNamed = said['namespace-mapping-strategy'] === 'SelectedName';
    const hasName = said['remote-namespace-name'] !== undefined;
    return [
      ...checkNamespaceChoice(operands, said['ns-selector']),
      ...operands.flatMap((name) =>
        checkDnsLabel(name).map((fault) => `the namespace "${name}" ${fault}`),
      ),
      ...(isNamed && !hasName ? ['SelectedName needs "--remote-namespace-name"'] : []),
      ...(hasName && !isNamed
        ? ['"--remote-namespace-name" needs "--namespace-mapping-strategy=SelectedName"']
        : []),
    ];
  },
  async run(call) {
    const { operands, flags: said, signal } = call;
    if (said.output && operands.length > 0) {
      refuseReservedNames(operands);
      return printManifests(
        call,
        operands.map((name) => forge(call, name, undefined)),
      );
    }
    const { client } = await call.connect();
    const choice = { names: operands, selector: said['ns-selector'] };
    const namespaces = await chooseNamespaces(client, choice, signal);
    if (namespaces.length === 0) return call.progress.warn('No namespace has these labels');
    await refuseReservedNamespaces(client, namespaces, signal);
    const plans = await planAll(call, client, namespaces);
    if (said.output)
      return printManifests(
        call,
        plans.map(({ wanted }) => wanted),
      );
    for (const [index, plan] of plans.entries()) {
      await offload(call, client, plan, plans.slice(0, index + 1));
    }
    if (said['dry-run'] || said['no-wait']) return;
    for (const { namespace } of plans) await waitForProviders(call, client, namespace);
  },
});

function printManifests(
  { flags: said, print }: Call,
  manifests: readonly NamespaceOffloading[],
): void {
  print(said.output === 'json' ? renderJson(manifests) : renderYaml(manifests));
}

/** Everything is looked at before anything is written. */
async function planAll(
  call: Call,
  client: Client,
  namespaces: readonly Stored<Namespace>[],
): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  for (const { metadata } of namespaces) {
    const namespace = metadata.name;
    const key = { namespace, name: fixedNames.namespaceOffloading };
    const doing = `offload the namespace "${namespace}"`;
    const reading = client.get(NamespaceOffloading, key, call.signal);
    const existing = await attempt(doing, reading);
    const wanted = forge(call, namespace, existing);
    if (existing) refuseConflict(call, existing, wanted);
    plans.push({ namespace, wanted, existing });
  }
  return plans;
}

/** What is not said stays as it is. */
function forge(
  { flags: said, given }: Call,
  namespace: string,
  existing: NamespaceOffloading | undefined,
): NamespaceOffloading {
  const keep = <T>(flag: string, current: T | undefined, wanted: T): T =>
    given.has(flag) ? wanted : (current ?? wanted);
  const forged = forgeNamespaceOffloading({
    namespace,
    namespaceMappingStrategy: keep(
      'namespace-mapping-strategy',
      existing?.spec.namespaceMappingStrategy,
      said['namespace-mapping-strategy'],
    ),
    podOffloadingStrategy: keep(
      'pod-offloading-strategy',
      existing?.spec.podOffloadingStrategy,
      said['pod-offloading-strategy'],
    ),
    remoteNamespaceName: keep(
      'remote-namespace-name',
      existing?.spec.remoteNamespaceName,
      said['remote-namespace-name'],
    ),
    selectors: said.selector.map(parseLabelSelector),
    globalLabels: said['global-labels'],
    globalAnnotations: said['global-annotations'],
  });
  const selector = existing?.spec.clusterSelector;
  if (given.has('selector') || !selector) return forged;
  return { ...forged, spec: { ...forged.spec, clusterSelector: selector } };
}

/** How a namespace is called over there is decided once: its pods could not follow. And what goes, goes. */
function refuseConflict(
  { suggest }: Call,
  { metadata, spec }: Stored<NamespaceOffloading>,
  { spec: wanted }: NamespaceOffloading,
): void {
  const doing = `offload the namespace "${metadata.namespace}"`;
  if (metadata.deletionTimestamp !== undefined) {
    const hint = 'Wait until that is done, and try again';
    throw new UserError(`Cannot ${doing}: it is just being taken back`, { hint });
  }
  const isSame =
    spec.namespaceMappingStrategy === wanted.namespaceMappingStrategy &&
    spec.remoteNamespaceName === wanted.remoteNamespaceName;
  if (isSame) return;
  const current = [spec.namespaceMappingStrategy, spec.remoteNamespaceName]
    .filter(Boolean)
    .join(' ');
  throw new UserError(
    `Cannot ${doing}: it is offloaded as ${current} already, and that cannot be changed`,
    { hint: `End that first: ${suggest(`unoffload namespace ${metadata.namespace}`)}` },
  );
}

async function offload(
  call: Call,
  client: Client,
  plan: Plan,
  upToIt: readonly Plan[],
): Promise<void> {
  const { flags: said, progress, signal, suggest } = call;
  const { namespace, wanted, existing } = plan;
  const dryRun = said['dry-run'];
  const names = upToIt.map((one) => one.namespace).join(' ');
  const hint = `See it with "kubectl get namespaceoffloadings -A"; end it with ${suggest(`unoffload namespace ${names}`)}`;
  const step = {
    doing: `Offloading the namespace "${namespace}"`,
    done: `Namespace "${namespace}" ${dryRun ? 'would be' : 'is'} marked for offloading`,
  };
  await progress.step(step, async () => {
    if (!dryRun) progress.leaves({ what: `offloading may go on for ${names}`, hint });
    const writing = existing
      ? client.update(NamespaceOffloading, changed(existing, wanted), { dryRun, signal })
      : client.create(NamespaceOffloading, wanted, { dryRun, signal });
    await attempt(`offload the namespace "${namespace}"`, writing, 'write');
  });
  if (!dryRun) progress.leaves({ what: `offloading goes on for ${names}`, hint });
}

/** One that was made for the label of its namespace stays from now on when that label is removed. */
function changed(
  existing: Stored<NamespaceOffloading>,
  { metadata, spec }: NamespaceOffloading,
): Stored<NamespaceOffloading> {
  const labels = { ...existing.metadata.labels, ...metadata?.labels };
  const { [annotationKeys.enabledNamespace]: _, ...kept } = existing.metadata.annotations ?? {};
  const annotations = { ...kept, ...metadata?.annotations };
  return { ...existing, metadata: { ...existing.metadata, labels, annotations }, spec };
}

async function waitForProviders(call: Call, client: Client, namespace: string): Promise<void> {
  const { flags: said, suggest, progress } = call;
  const providers = await waitStep(call, client, {
    doing: `Waiting for the providers to have the namespace "${namespace}"`,
    done: (selected) => (selected > 0 ? `Namespace "${namespace}" is offloaded` : undefined),
    timeoutMs: said.timeout,
    look: () => lookAtOffloading(call, client, namespace),
    hint: `It goes on without liqoctl; see how far it is with "kubectl describe namespaceoffloading -n ${namespace}", or end it with ${suggest(`unoffload namespace ${namespace}`)}`,
  });
  if (providers === 0) {
    progress.warn(
      `No provider is selected, so the pods of "${namespace}" stay here; it goes over as soon as there is one: ${suggest('get virtualnodes')}`,
    );
  }
}
