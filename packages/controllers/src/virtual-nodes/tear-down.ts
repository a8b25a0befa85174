import { labels, labelValues, type VirtualNode, virtualKubeletName } from '@liqo/api';
import {
  type Client,
  Deployment,
  findCondition,
  isNotFound,
  isTooManyRequests,
  keyOf,
  keyString,
  mergePatch,
  Node,
  type ObjectKey,
  Pod,
  parseTime,
  type Stored,
} from '@liqo/kube';
import {
  findNamesake,
  isGoneForGood,
  isNodeOf,
  isOfOffer,
  isReleased,
  makesNode,
  podsToDrain,
  type Remains,
  type TeardownStep,
  teardownStep,
} from '@liqo/model';
import { done, type Outcome, requeueAfter } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { isInTenantNamespace, type Obstacle } from './find-obstacle.ts';
import { removeTraces } from './remove-traces.ts';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

type TeardownWorld = Pick<
  VirtualNodeWorld,
  | 'client'
  | 'clock'
  | 'drainTimeoutMs'
  | 'events'
  | 'offers'
  | 'peers'
  | 'virtualNodes'
  | 'whyMisplaced'
>;

/** Makes the virtual kubelet again. Gives back what stands in the way. */
type RestoreKubelet = () => Promise<Pick<Obstacle, 'message'> | undefined>;

export interface TeardownProgress {
  readonly step: TeardownStep;
  /** What is going on, for people. */
  readonly message: string;
  readonly outcome: Outcome;
}

/** The name of a virtual node is not part of it: one that is too long for a label must be able to go, too. */
const kubeletSelector = `${labels.component}=${labelValues.virtualKubelet}`;

/** A right that is granted a moment later makes no provider one that drains. */
const refusedMs = 10_000;
const lookAgainMs = 1_000;
/** Disruption budgets change with the pods of others: asking every moment makes nobody faster. */
const askAgainMs = 5_000;

/** Takes down a virtual node whose VirtualNode is being deleted, one step at a time. */
export async function tearDown(
  world: TeardownWorld,
  virtualNode: Stored<VirtualNode>,
  {
    restoreKubelet,
    signal,
  }: { readonly restoreKubelet: RestoreKubelet; readonly signal: AbortSignal },
): Promise<TeardownProgress> {
  const remains = await findRemains(world, virtualNode, signal);
  const step = teardownStep(remains);
  if (step === 'finish') {
    const outcome = await removeTraces(world, virtualNode, signal);
    return { step, message: '', outcome };
  }
  return take(step, remains, { world, virtualNode, restoreKubelet, signal });
}

/** Removes the Node of a VirtualNode that no longer wants one; the virtual kubelet stays. */
export async function removeNode(
  world: TeardownWorld,
  virtualNode: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Outcome> {
  const remains = await findRemains(world, virtualNode, signal);
  if (!remains.node) return done;
  if (await isMadeAgain(world, virtualNode, signal)) {
    return requeueAfter(lookAgainMs, 'Waiting for the virtual kubelet that makes the Node to go');
  }
  // The virtual kubelet is not part of this teardown.
  const step = teardownStep({ ...remains, hasVirtualKubelet: false, hasDeployment: true });
  const restoreKubelet = async () => undefined;
  const { outcome } = await take(step, remains, { world, virtualNode, restoreKubelet, signal });
  return outcome;
}

/** One that was told by its options, and not by the VirtualNode, makes its Node again for as long as it runs. */
async function isMadeAgain(
  { client }: TeardownWorld,
  { metadata, spec }: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<boolean> {
  if (spec.createNode !== undefined) return false;
  return (await listKubelets(client, metadata, signal)).some(makesNode);
}

async function findRemains(
  world: TeardownWorld,
  virtualNode: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Remains> {
  const { client, virtualNodes } = world;
  const { name } = virtualNode.metadata;
  const [node, pods, deployment, kubelets] = await Promise.all([
    client.get(Node, { name }, signal),
    client.list(Pod, { fieldSelector: `spec.nodeName=${name}`, signal }),
    findDeployment(client, virtualNode.metadata, signal),
    listKubelets(client, virtualNode.metadata, signal),
  ]);
  const isOfAnother =
    findNamesake(virtualNode, virtualNodes.list(), isInTenantNamespace(world)) !== undefined ||
    (node !== undefined && !isNodeOf(node, virtualNode.spec.clusterID));
  return {
    node: isOfAnother ? undefined : stateOf(node),
    pods: isOfAnother ? [] : pods.items,
    hasVirtualKubelet: deployment !== undefined || kubelets.length > 0,
    hasDeployment: deployment !== undefined,
    isHopeless:
      isLate(world.drainTimeoutMs, world, virtualNode) ||
      isPeerGone(world, virtualNode) ||
      isProviderSilent(world, virtualNode) ||
      (isRefused(virtualNode) && isLate(refusedMs, world, virtualNode)),
  };
}

/** That of the virtual kubelet. What it selects can never be changed; another one of its name is somebody else's. */
async function findDeployment(
  client: Client,
  { name, namespace }: ObjectKey,
  signal: AbortSignal,
): Promise<Stored<Deployment> | undefined> {
  const key = { namespace, name: virtualKubeletName(name) };
  const found = await client.get(Deployment, key, signal);
  const isOurs = found?.spec?.selector.matchLabels?.[labels.virtualNode] === name;
  return isOurs ? found : undefined;
}

async function listKubelets(
  client: Client,
  { name, namespace }: ObjectKey,
  signal: AbortSignal,
): Promise<readonly Stored<Pod>[]> {
  const { items } = await client.list(Pod, { namespace, labelSelector: kubeletSelector, signal });
  return items.filter(({ metadata }) => metadata.labels?.[labels.virtualNode] === name);
}

function stateOf(node: Stored<Node> | undefined): Remains['node'] {
  return node && { uid: node.metadata.uid, isCordoned: node.spec?.unschedulable === true };
}

/** Whether it was deleted longer ago than this. */
function isLate(
  afterMs: number,
  { clock }: TeardownWorld,
  { metadata }: Stored<VirtualNode>,
): boolean {
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) return false;
  return clock.now() - parseTime(deletionTimestamp) > afterMs;
}

/** A provider that grants no right in any of the namespaces has drained this consumer, and tells nothing of its pods any more. */
function isRefused({ status }: Stored<VirtualNode>): boolean {
  return findCondition(status?.conditions, 'Provider')?.reason === 'RemoteForbidden';
}

function isPeerGone({ peers }: TeardownWorld, { spec }: Stored<VirtualNode>): boolean {
  return isGoneForGood(peers.get({ name: spec.clusterID ?? '' }));
}

/** The provider of an offer was given up: it cannot say any more that its pods have ended. */
function isProviderSilent({ offers }: TeardownWorld, virtualNode: Stored<VirtualNode>): boolean {
  const { namespace } = virtualNode.metadata;
  const offer = offers.list(namespace).find((one) => isOfOffer(virtualNode, one));
  return findCondition(offer?.status?.conditions, 'Reachable')?.status === 'False';
}

interface Taking {
  readonly world: TeardownWorld;
  readonly virtualNode: Stored<VirtualNode>;
  readonly restoreKubelet: RestoreKubelet;
  readonly signal: AbortSignal;
}

async function take(
  step: TeardownStep,
  remains: Remains,
  taking: Taking,
): Promise<TeardownProgress> {
  const progress = (message: string, delayMs = lookAgainMs) => ({
    step,
    message,
    outcome: requeueAfter(delayMs, message),
  });
  const { node, pods } = remains;
  switch (step) {
    case 'cordon':
      return progress(await cordon(node, taking));
    case 'restore-kubelet': {
      const { message, isRestored } = await restore(remains, taking);
      return progress(message, isRestored ? lookAgainMs : askAgainMs);
    }
    case 'evict': {
      const { message, hasRefused } = await evict(podsToDrain(pods), taking);
      return progress(message, hasRefused ? askAgainMs : lookAgainMs);
    }
    case 'release':
      return progress(await release(node ? podsToDrain(pods) : pods, taking));
    case 'delete-node':
      return progress(await deleteNode(node, taking));
    case 'delete-pods':
      return progress(await deletePods(pods, taking));
    default:
      return progress(await deleteKubelet(taking));
  }
}

async function cordon(node: Remains['node'], taking: Taking): Promise<string> {
  const { world, virtualNode, signal } = taking;
  const change = { metadata: { uid: node?.uid ?? '' }, spec: { unschedulable: true } };
  await world.client.patch(Node, { name: virtualNode.metadata.name }, mergePatch(change), signal);
  return 'No new pods are scheduled to the Node';
}

/** What keeps the virtual kubelet from coming back must not keep the pods: they leave as soon as it is there. */
async function restore({ node, pods }: Remains, taking: Taking) {
  const obstacle = await taking.restoreKubelet();
  const message = node
    ? (await evict(podsToDrain(pods), taking)).message
    : await deletePods(pods, taking);
  if (!obstacle) return { message, isRestored: true };
  const lost = `The virtual kubelet is lost and cannot be made again: ${obstacle.message}`;
  return { message: `${message}. ${lost}`, isRestored: false };
}

/** Politely: disruption budgets are heeded, and asked again. One pod that cannot be evicted does not keep the others. */
async function evict(pods: readonly Stored<Pod>[], { world, signal }: Taking) {
  const refused: string[] = [];
  const failures: unknown[] = [];
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const preconditions = { uid: pod.metadata.uid };
    try {
      await world.client.evict(keyOf(pod), { preconditions, signal });
    } catch (error) {
      if (isTooManyRequests(error)) refused.push(keyString(pod.metadata));
      else if (!isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  const waiting = `Waiting for ${pods.length} pods to leave the Node and the provider`;
  const hasRefused = refused.length > 0;
  const message = hasRefused ? `${waiting}; a disruption budget keeps ${some(refused)}` : waiting;
  return { message, hasRefused };
}

/** Nobody can say any more that they have ended over there. */
async function release(
  pods: readonly Stored<Pod>[],
  { world, virtualNode, signal }: Taking,
): Promise<string> {
  const abandoned = pods.filter((pod) => !isReleased(pod));
  const names = abandoned.map(({ metadata }) => keyString(metadata));
  const note = `Not waiting any longer for the provider: these pods may still run there: ${some(names)}`;
  world.events.record({
    regarding: virtualNode,
    type: 'Warning',
    reason: 'PodsAbandoned',
    action: 'Draining',
    note,
  });
  for (const pod of abandoned) {
    await removeIfThere(world.client, Pod, pod, { gracePeriodSeconds: 0, signal });
  }
  return note;
}

async function deleteNode(node: Remains['node'], taking: Taking): Promise<string> {
  const { world, virtualNode, signal } = taking;
  const key = { name: virtualNode.metadata.name };
  if (node) {
    await removeIfThere(world.client, Node, { metadata: { ...key, uid: node.uid } }, { signal });
  }
  return 'The Node is being deleted';
}

/** Those of DaemonSets: nobody makes them again without the Node, and the virtual kubelet ends them over there. */
async function deletePods(
  pods: readonly Stored<Pod>[],
  { world, signal }: Taking,
): Promise<string> {
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    await removeIfThere(world.client, Pod, pod, { signal });
  }
  return `Waiting for ${pods.length} pods that were left on the Node to end at the provider`;
}

async function deleteKubelet({ world, virtualNode, signal }: Taking): Promise<string> {
  const deployment = await findDeployment(world.client, virtualNode.metadata, signal);
  if (deployment && deployment.metadata.deletionTimestamp === undefined) {
    await removeIfThere(world.client, Deployment, deployment, { signal });
  }
  return 'The virtual kubelet is being deleted';
}

/** The first ones by name: a condition is not a list. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
