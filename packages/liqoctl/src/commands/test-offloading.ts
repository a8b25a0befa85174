import { fixedNames, NamespaceOffloading, VirtualNode, virtualNodeToleration } from '@liqo/api';
import {
  type Client,
  deadline,
  isConditionTrue,
  isNotFound,
  Namespace,
  Pod,
  type Stored,
} from '@liqo/kube';
import { lookAtOffloading } from '../cluster/look-at-offloading.ts';
import { waitStep } from '../cluster/wait-step.ts';
import type { Look } from '../cluster/wait-until.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { attempt, explain } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, timeoutFlag } from '../flags/shared-flags.ts';
import { UserError } from '../user-error.ts';
import { diagnose } from '../why/diagnose.ts';
import { gatherFacts } from '../why/gather-facts.ts';

const flags = {
  image: {
    type: 'text',
    value: 'IMAGE',
    default: 'registry.k8s.io/pause:3.10',
    help: 'what the test pods run; the providers pull it',
  },
  ...timeoutFlag('2m', 'how long it waits for each step'),
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const testOffloading = defineCommand({
  path: ['test', 'offloading'],
  summary: 'runs a pod on each virtual node, and removes it again',
  description:
    'Offloads a namespace of its own to all providers, runs a small pod on each virtual node, or on those that are named, until\n' +
    'it is Ready, and removes everything again. Where a pod does not get ready, it says why as liqoctl why does.',
  examples: ['liqoctl test offloading', 'liqoctl test offloading mypool --timeout 30s'],
  operands: { placeholder: 'NAME', least: 0, most: 100, completes: 'virtualnodes' },
  flags,
  async run(call) {
    const { client } = await call.connect();
    const virtualNodes = await chooseVirtualNodes(call, client);
    const digits = Math.floor(call.around.random() * 36 ** 6).toString(36);
    const namespace = `liqo-test-${digits}`;
    call.progress.leaves({
      what: `the namespace "${namespace}" may be there`,
      hint: `Remove it: kubectl delete namespace ${namespace}`,
    });
    try {
      await offload(call, client, namespace);
      for (const virtualNode of virtualNodes) await testNode(call, client, namespace, virtualNode);
    } catch (error) {
      await cleanUpAfter(call, client, namespace);
      throw error;
    }
    await cleanUp(call, client, namespace);
    const count = virtualNodes.length;
    call.progress.note(`Offloading works on ${count} virtual node${count === 1 ? '' : 's'}`);
  },
});

async function chooseVirtualNodes(
  { operands, signal, suggest }: Call,
  client: Client,
): Promise<readonly Stored<VirtualNode>[]> {
  const doing = 'test offloading';
  const { items } = await attempt(doing, client.list(VirtualNode, { signal }));
  const nodes = items.filter(({ spec }) => spec.createNode !== false);
  const unknown = operands.find((name) => !nodes.some(({ metadata }) => metadata.name === name));
  if (unknown !== undefined) {
    const message = `Cannot ${doing}: there is no virtual node "${unknown}" with a Node`;
    throw new UserError(message, { hint: `See which there are: ${suggest('get virtualnodes')}` });
  }
  if (nodes.length === 0) {
    const message = `Cannot ${doing}: this cluster has no virtual node`;
    throw new UserError(message, { hint: `Peer with a provider: ${suggest('peer --help')}` });
  }
  return operands.length === 0
    ? nodes
    : nodes.filter(({ metadata }) => operands.includes(metadata.name));
}

async function offload(call: Call, client: Client, namespace: string): Promise<void> {
  const { signal } = call;
  const doing = `offload the namespace "${namespace}"`;
  const metadata = { name: fixedNames.namespaceOffloading, namespace };
  const spec = {
    namespaceMappingStrategy: 'DefaultName',
    podOffloadingStrategy: 'Remote',
  } as const;
  const creation = async () => {
    await client.create(Namespace, { metadata: { name: namespace } }, signal);
    await client.create(NamespaceOffloading, { metadata, spec }, signal);
  };
  await attempt(doing, creation(), 'write');
  await waitStep(call, client, {
    doing: `Waiting for the namespace "${namespace}" to be offloaded`,
    done: `Namespace "${namespace}" is offloaded`,
    timeoutMs: call.flags.timeout,
    look: (stop) => lookAtOffloading({ ...call, signal: stop }, client, namespace),
    hint: `See why: ${call.suggest(`why namespace/${namespace}`)}`,
  });
}

async function testNode(
  call: Call,
  client: Client,
  namespace: string,
  { metadata: { name } }: Stored<VirtualNode>,
): Promise<void> {
  const { flags: said, signal, around } = call;
  const { clock } = around;
  const pod = forgePod(name, namespace, said.image);
  await attempt(`create a pod for "${name}"`, client.create(Pod, pod, signal), 'write');
  await waitStep(call, client, {
    doing: `Waiting for a pod on "${name}" to be Ready`,
    done: `A pod runs on "${name}"`,
    timeoutMs: said.timeout,
    look: (stop) => lookAtPod(client, { namespace, name }, { nowMs: clock.now(), signal: stop }),
    hint: `See more: ${call.suggest(`why node/${name}`)}`,
  });
}

/** Only the one Node will do, whatever its labels. */
function forgePod(name: string, namespace: string, image: string): Pod {
  const matchFields = [{ key: 'metadata.name', operator: 'In' as const, values: [name] }];
  const resources = { requests: { cpu: '10m', memory: '16Mi' } };
  return {
    metadata: { name, namespace },
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
        },
      },
      tolerations: [{ ...virtualNodeToleration }],
      terminationGracePeriodSeconds: 0,
      containers: [
        { name: 'main', image, resources: { ...resources, limits: resources.requests } },
      ],
    },
  };
}

async function lookAtPod(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<Look<true>> {
  const pod = await client.get(Pod, { namespace, name }, signal);
  if (isConditionTrue(pod?.status?.conditions, 'Ready')) return { done: true };
  const facts = await gatherFacts(client, { kind: 'pod', namespace, name }, { nowMs, signal });
  const cause = facts && diagnose(facts).cause;
  return {
    notYet: cause ? `${cause.object}: ${cause.problem?.evidence}` : 'the pod is not Ready yet',
  };
}

/** After a failure, which is told afterwards. An interrupted command does not wait until the namespace is gone. */
async function cleanUpAfter(call: Call, client: Client, namespace: string): Promise<void> {
  const { progress, signal, around } = call;
  try {
    if (!signal.aborted) return await cleanUp(call, client, namespace);
    using limit = deadline(around.clock, 10_000, 'The cluster does not answer');
    await removeNamespace(client, namespace, limit.signal);
    const hint = `See that it is gone: kubectl get namespace ${namespace}`;
    progress.leaves({ what: `the namespace "${namespace}" is being deleted`, hint });
  } catch (error) {
    const { message, hint } = explain(`remove the namespace "${namespace}"`, error, 'write');
    progress.warn(`${message}. ${hint}`);
  }
}

/** Its NamespaceOffloading goes with it, and then the namespaces at the providers. */
async function removeNamespace(client: Client, name: string, signal: AbortSignal): Promise<void> {
  try {
    await client.delete(Namespace, { name }, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function cleanUp(call: Call, client: Client, namespace: string): Promise<void> {
  const { signal, flags: said } = call;
  const removing = removeNamespace(client, namespace, signal);
  await attempt(`remove the namespace "${namespace}"`, removing, 'write');
  await waitStep(call, client, {
    doing: `Waiting for the namespace "${namespace}" to be gone`,
    done: `Namespace "${namespace}" is gone`,
    timeoutMs: said.timeout,
    look: async (stop) => {
      const left = await client.get(Namespace, { name: namespace }, stop);
      const why = left?.status?.conditions?.find(({ status }) => status === 'True')?.message;
      return left ? { notYet: why ?? 'it is being deleted' } : { done: true as const };
    },
    hint: `It goes on without liqoctl; see kubectl describe namespace ${namespace}`,
  });
}
