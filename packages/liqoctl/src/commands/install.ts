import type { Client, KubeObject } from '@liqo/kube';
import {
  defaultValues,
  forgeKinds,
  forgeManifests,
  type GivenValues,
  mergeGiven,
  mergeValues,
  type Values,
} from '@liqo/manifests';
import { waitStep } from '../cluster/wait-step.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  connectionFlags,
  dryRunFlag,
  namespaceFlag,
  outputFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { controllerManagerName } from '../info/server-version.ts';
import { type Provider, providers } from '../install/detect-provider.ts';
import { allValues, readSettings, readValuesFile, settingFaults } from '../install/given-values.ts';
import { forgeInstallationRecord } from '../install/installation-record.ts';
import { checkClusterID, chooseClusterID, judgeCluster } from '../install/judge-cluster.ts';
import { judgeNodes, warnOfNodes } from '../install/judge-nodes.ts';
import { lookAtDeployments } from '../install/look-at-deployments.ts';
import { lookAtWebhooks } from '../install/look-at-webhooks.ts';
import { type FoundCluster, readCluster } from '../install/read-cluster.ts';
import { findDeadWebhooks } from '../install/webhooks-of-others.ts';
import { writeObjects } from '../install/write-objects.ts';
import { renderJson, renderYaml, renderYamlDocument } from '../output/render-objects.ts';
import { UserError } from '../user-error.ts';

const flags = {
  'cluster-id': {
    type: 'text',
    value: 'ID',
    check: checkClusterID,
    help: 'how the cluster is known to its peers; chosen at the first installation, and kept',
  },
  values: {
    type: 'repeated',
    short: 'f',
    value: 'FILE',
    completes: 'files',
    help: 'values of the chart, as YAML; of several files the last one counts',
  },
  set: {
    type: 'repeated',
    value: 'NAME=VALUE',
    help: 'one value of the chart, such as controllerManager.replicas=2',
  },
  'reset-values': {
    type: 'boolean',
    help: 'forgets the values of earlier installations; otherwise they are kept',
  },
  'pod-cidr': {
    type: 'repeated',
    value: 'CIDR',
    help: 'a range of the pods of this cluster, where Nodes do not name it',
  },
  'api-server-url': {
    type: 'text',
    value: 'URL',
    help: 'where peers reach the API server of this cluster',
  },
  ...outputFlag(['yaml', 'json'], 'prints the objects, and contacts no cluster'),
  'only-output-values': {
    type: 'boolean',
    help: 'prints the values, also those that were detected, and changes nothing',
  },
  ...timeoutFlag('10m', 'how long it waits for the controllers'),
  ...dryRunFlag,
  ...namespaceFlag('where Liqo is installed; "liqo" if it is not given'),
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const install = defineCommand({
  path: ['install'],
  summary: 'installs Liqo in a cluster, or upgrades it in place',
  description:
    'Checks the version of the cluster, its nodes and the rights of the user, detects what runs the cluster, writes the kinds and\n' +
    'the objects of the chart by server-side apply, and waits until the controllers run and the API server reaches the webhooks. It\n' +
    'may be repeated: what is as wanted stays untouched, and values that were given before are kept. --dry-run names what would\n' +
    'change. The values are those of charts/liqo/values.yaml.',
  examples: [
    'liqoctl install --cluster-id rome',
    'liqoctl install kind --cluster-id rome --set controllerManager.replicas=2',
    'liqoctl install --cluster-id rome -o yaml | kubectl apply -f -',
  ],
  operands: { placeholder: 'PROVIDER', least: 0, most: 1, completes: providers },
  flags,
  check: ({ operands: [provider], flags: said }) => [
    ...(provider !== undefined && !isProvider(provider)
      ? [`"${provider}" is not one of ${providers.join(', ')}`]
      : []),
    ...settingFaults(said.set),
  ],
  async run(call) {
    const { flags: said, print } = call;
    const given = await readGiven(call);
    if (said.output) return print(renderObjects(call, given, said.output));
    const { client } = await call.connect();
    await installIn(call, client, given);
  },
});

function isProvider(word: string): word is Provider {
  return (providers as readonly string[]).includes(word);
}

/** From files, then from `--set`, then from flags of their own. */
async function readGiven({ flags: said }: Call): Promise<readonly GivenValues[]> {
  const files: GivenValues[] = [];
  for (const path of said.values) files.push(await readValuesFile(path));
  const ranges = said['pod-cidr'];
  const url = said['api-server-url'];
  return [
    ...files,
    ...readSettings(said.set),
    {
      ...(ranges.length > 0 && { consumers: { deniedEndpointRanges: [...ranges] } }),
      ...(url !== undefined && { apiServer: { address: url } }),
      ...(said['cluster-id'] !== undefined && { clusterID: said['cluster-id'] }),
    },
  ];
}

function idOf(given: readonly GivenValues[]): string | undefined {
  const { clusterID } = mergeGiven(given);
  return typeof clusterID === 'string' && clusterID !== '' ? clusterID : undefined;
}

function renderObjects(
  { operands: [provider], flags: said }: Call,
  given: readonly GivenValues[],
  format: 'json' | 'yaml',
): string {
  const clusterID = idOf(given);
  if (clusterID === undefined) {
    const message = 'Cannot print the objects: without a cluster, nothing tells its ID';
    throw new UserError(message, { hint: 'Add --cluster-id', blame: 'usage' });
  }
  const layers = allValues(given, provider as Provider | undefined, []);
  const { namespace = defaultValues.namespace } = said;
  const objects = objectsOf(mergeValues(layers, { clusterID, namespace }));
  return format === 'json' ? renderJson(objects) : renderYaml(objects);
}

function objectsOf(values: Parameters<typeof forgeManifests>[0]): readonly KubeObject[] {
  const kinds = forgeKinds().map((kind) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ...kind,
  }));
  return [...kinds, ...forgeManifests(values)];
}

async function installIn(call: Call, client: Client, given: readonly GivenValues[]): Promise<void> {
  const { operands, flags: said, print, progress, around, suggest } = call;
  const { namespace = defaultValues.namespace } = said;
  const found = await progress.step(
    {
      doing: 'Checking the cluster',
      done: ({ gitVersion, provider }) =>
        `The cluster can be used: Kubernetes ${gitVersion}${provider ? `, ${provider}` : ''}`,
    },
    () => checkedCluster(call, client, namespace, idOf(given)),
  );
  const clusterID = idOf(given) ?? found.clusterID ?? chooseClusterID(around.random);
  const kept = said['reset-values'] ? undefined : found.record;
  const told = mergeGiven([...(kept ? [kept.values] : []), ...given]);
  const provider = (operands[0] as Provider | undefined) ?? kept?.provider ?? found.provider;
  const layers = allValues([told], provider, found.nodes);
  if (said['only-output-values']) {
    return print(renderYamlDocument({ ...mergeGiven(layers), clusterID }));
  }
  const values = mergeValues(layers, { clusterID, namespace });
  await warnBefore(call, client, found, values);
  const record = forgeInstallationRecord(namespace, { values: told, provider });
  const dryRun = said['dry-run'];
  await writeObjects(call, client, [...objectsOf(values), record], { namespace, dryRun });
  if (dryRun) return;
  await waitStep(call, client, {
    doing: 'Waiting for the controllers to run',
    done: `Liqo runs: this cluster is "${clusterID}"`,
    timeoutMs: said.timeout,
    look: (stop) => lookAtInstallation(client, namespace, stop),
    hint: `It goes on without liqoctl; see kubectl describe deployment ${controllerManagerName} -n ${namespace}`,
  });
  const peer = suggest('peer --remote-kubeconfig FILE');
  progress.note(`Next, make it a peer of a provider: ${peer}`);
}

/** The controllers and the webhooks run, and the API server reaches the webhooks. */
async function lookAtInstallation(client: Client, namespace: string, stop: AbortSignal) {
  const look = await lookAtDeployments(client, namespace, stop);
  return 'done' in look ? lookAtWebhooks(client, namespace, stop) : look;
}

async function checkedCluster(
  { signal }: Pick<Call, 'signal'>,
  client: Client,
  namespace: string,
  wantedID: string | undefined,
): Promise<FoundCluster> {
  const found = await attempt('install Liqo', readCluster(client, namespace, signal));
  const refusal = judgeCluster(found, wantedID) ?? judgeNodes(found.nodes);
  if (refusal) throw new UserError(`Cannot install Liqo: ${refusal.why}`, { hint: refusal.hint });
  return found;
}

/** What may become a problem, but need not. */
async function warnBefore(
  { progress, signal }: Call,
  client: Client,
  { nodes }: FoundCluster,
  { common }: Values,
): Promise<void> {
  const warning = warnOfNodes(nodes, common);
  if (warning) progress.warn(warning);
  const dead = await attempt('see the webhooks', findDeadWebhooks(client, signal));
  for (const webhook of dead) {
    progress.warn(
      `The webhook ${webhook} does not run: the API server may refuse what it asks it about`,
    );
  }
}
