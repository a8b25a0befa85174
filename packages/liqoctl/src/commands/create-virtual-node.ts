import { type ResourceSlice, VirtualNode } from '@liqo/api';
import {
  type Client,
  checkDnsLabel,
  checkDnsSubdomain,
  isAlreadyExists,
  isConditionTrue,
  Node,
  type ObjectKey,
  parseKey,
} from '@liqo/kube';
import { checkProviderSecret } from '../cluster/check-provider-secret.ts';
import { findTenantNamespace } from '../cluster/find-tenant-namespace.ts';
import { readAcceptedSlice } from '../cluster/read-accepted-slice.ts';
import { nameTaken, refuseTakenName } from '../cluster/refuse-taken-name.ts';
import { waitStep } from '../cluster/wait-step.ts';
import type { Look } from '../cluster/wait-until.ts';
import { whyNotReady } from '../cluster/why-not-ready.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { explain } from '../explain.ts';
import { virtualNodeFlags } from '../flags/virtual-node-flags.ts';
import { forgeVirtualNode, sliceSecretName } from '../forge-virtual-node.ts';
import { renderJson, renderYaml } from '../output/render-objects.ts';
import { UserError } from '../user-error.ts';

type Call = Invocation<typeof virtualNodeFlags>;

export const createVirtualNode = defineCommand({
  path: ['create', 'virtualnode'],
  summary: 'makes a node of this cluster out of a provider',
  description:
    'Creates a VirtualNode, and waits until its Node is Ready. The way to the provider is the kubeconfig in a Secret, or\n' +
    'the one of a ResourceSlice. With -o the manifest is printed, to be edited and applied with kubectl.',
  examples: [
    'liqoctl create virtualnode mynode --remote-cluster-id milan --kubeconfig-secret-name milan-kubeconfig',
    'liqoctl create virtualnode mynode --remote-cluster-id milan --resource-slice-name mypool --cpu 4 --memory 8Gi',
    'liqoctl create virtualnode mynode --remote-cluster-id milan --resource-slice-name mypool -o yaml > mynode.yaml',
  ],
  operands: { placeholder: 'NAME', least: 1, most: 1 },
  flags: virtualNodeFlags,
  check: ({ operands: [name = ''], flags: said }) => {
    const sources = [said['kubeconfig-secret-name'], said['resource-slice-name']];
    const count = sources.filter((source) => source !== undefined).length;
    return [
      ...checkDnsSubdomain(name).map((fault) => `the name "${name}" ${fault}`),
      ...(count === 1
        ? []
        : [
            `it needs ${count === 0 ? 'one' : 'only one'} of "--kubeconfig-secret-name" and "--resource-slice-name"`,
          ]),
      ...checkTemplate(said['vk-options-template']),
    ];
  },
  async run(call) {
    const { flags: said, signal } = call;
    const namespace = said.namespace ?? (await tenantNamespace(call));
    const virtualNode = forge(call, namespace, await acceptedSlice(call, namespace));
    if (said.output) {
      const render = said.output === 'json' ? renderJson : renderYaml;
      return call.print(render([virtualNode]));
    }
    const { client } = await call.connect();
    const secret = { namespace, name: virtualNode.spec.kubeconfigSecretRef?.name ?? '' };
    await refuseTakenName(call, client);
    await checkProviderSecret(client, secret, { clock: call.around.clock, signal });
    await create(call, client, virtualNode);
    const isWaiting = said['create-node'] && !said['no-wait'] && !said['dry-run'];
    if (isWaiting) await waitForNode(call, client, virtualNode);
  },
});

function checkTemplate(template: string | undefined): readonly string[] {
  if (template === undefined) return [];
  const { namespace, name } = parseKey(template);
  const faults = [
    ...checkDnsSubdomain(name),
    ...(namespace === undefined ? [] : checkDnsLabel(namespace)),
  ];
  return faults.length === 0
    ? []
    : [`"--vk-options-template=${template}" is not of the form namespace/name`];
}

async function tenantNamespace(call: Call): Promise<string> {
  const { client } = await call.connect();
  return findTenantNamespace(call, client, call.flags['remote-cluster-id']);
}

async function acceptedSlice(
  { connect, flags: said, signal }: Call,
  namespace: string,
): Promise<ResourceSlice | undefined> {
  const name = said['resource-slice-name'];
  if (name === undefined) return undefined;
  const { client } = await connect();
  return readAcceptedSlice(client, { namespace, name }, signal);
}

/** With a slice, amounts that are not said are those that the provider grants. */
function forge(
  { operands: [name = ''], flags: said, given }: Call,
  namespace: string,
  slice: ResourceSlice | undefined,
): VirtualNode {
  const template = said['vk-options-template'];
  const amounts = { cpu: said.cpu, memory: said.memory, pods: said.pods };
  const isWanted = ([resource]: readonly [string, unknown]) => !slice || given.has(resource);
  return forgeVirtualNode(
    {
      name,
      namespace,
      remoteClusterID: said['remote-cluster-id'],
      createNode: said['create-node'],
      disableNetworkCheck: said['disable-network-check'],
      kubeconfigSecretName:
        said['kubeconfig-secret-name'] ?? sliceSecretName(said['resource-slice-name'] ?? ''),
      resources: {
        ...Object.fromEntries(Object.entries(amounts).filter(isWanted)),
        ...said.resource,
      },
      storageClasses: said['storage-classes'],
      ingressClasses: said['ingress-classes'],
      loadBalancerClasses: said['load-balancer-classes'],
      labels: said.labels,
      nodeSelector: said['node-selector'],
      runtimeClassName: said['runtime-class-name'],
      vkOptionsTemplate: template === undefined ? undefined : parseKey(template),
      globalLabels: said['global-labels'],
      globalAnnotations: said['global-annotations'],
    },
    slice,
  );
}

async function create(call: Call, client: Client, wanted: VirtualNode): Promise<void> {
  const { flags: said, progress, signal, suggest } = call;
  const name = wanted.metadata?.name ?? '';
  const dryRun = said['dry-run'];
  const leaves = (what: string) =>
    progress.leaves({
      what,
      hint: `See it with "${suggest(`get virtualnode ${name}`)}"; remove it with ${suggest(`delete virtualnode ${name}`)}`,
    });
  const step = {
    doing: `Creating VirtualNode "${name}"`,
    done: dryRun ? `VirtualNode "${name}" would be created` : `VirtualNode "${name}" is created`,
  };
  await progress.step(step, async () => {
    if (!dryRun) leaves(`VirtualNode "${name}" may have been created`);
    const creating = client.create(VirtualNode, wanted, { dryRun, signal });
    await creating.catch((error: unknown) => {
      throw isAlreadyExists(error)
        ? nameTaken(call, name)
        : explain(`create VirtualNode "${name}"`, error, 'write');
    });
  });
  if (!dryRun) leaves(`VirtualNode "${name}" is there and goes on coming up`);
}

async function waitForNode(call: Call, client: Client, { metadata }: VirtualNode): Promise<void> {
  const { suggest, flags: said } = call;
  const key = { name: metadata?.name ?? '', namespace: metadata?.namespace };
  const { name } = key;
  await waitStep(call, client, {
    doing: `Waiting for the Node "${name}" to be Ready`,
    done: `Node "${name}" is Ready`,
    timeoutMs: said.timeout,
    look: (signal) => lookAtNode(client, key, signal),
    hint: `The VirtualNode stays and goes on trying; see how it is with "${suggest(`get virtualnode ${name} -o wide`)}", or remove it with ${suggest(`delete virtualnode ${name}`)}`,
  });
}

async function lookAtNode(
  client: Client,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<Look<true>> {
  const [node, virtualNode] = await Promise.all([
    client.get(Node, { name: key.name }, signal),
    client.get(VirtualNode, key, signal),
  ]);
  if (!virtualNode) {
    const message = `Cannot wait for the Node "${key.name}": somebody deleted its VirtualNode`;
    throw new UserError(message, { hint: 'Create it again if it is still wanted' });
  }
  const isReady = isConditionTrue(node?.status?.conditions, 'Ready');
  return isReady ? { done: true } : { notYet: whyNotReady(virtualNode) };
}
