import {
  Advertisement,
  advertisementName,
  ForeignCluster,
  fixedNames,
  Identity,
  labels,
  NamespaceOffloading,
  ResourceSlice,
  resourceSliceIdentityName,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  isConditionTrue,
  isForbidden,
  type Kind,
  type KubeObject,
  matchesNodeSelector,
  Namespace,
  Node,
  type ObjectKey,
  Pod,
  Secret,
  type Stored,
} from '@liqo/kube';
import { isOwnOffer } from '../cluster/find-advertisement.ts';
import { isCopy } from '../cluster/find-resource-slice.ts';
import { virtualNodesOf } from '../cluster/read-slice-use.ts';
import { whyUnattended } from '../cluster/why-unattended.ts';
import { whyWebhookFails } from '../cluster/why-webhook-fails.ts';
import { describeCertificate } from '../info/certificate-expiry.ts';
import { ifServed } from '../peering/if-served.ts';
import type { ChainFacts, Route } from './chain.ts';
import { readWorkload } from './read-workload.ts';
import type { Subject, SubjectKind } from './subject.ts';

interface Wanted extends Subject {
  /** Of a pod, a virtual node or a slice. */
  readonly namespace: string | undefined;
}

/** Reads what the chain of an object consists of; undefined if there is no such object. */
export async function gatherFacts(
  client: Client,
  wanted: Wanted,
  time: Moment,
): Promise<ChainFacts | undefined> {
  const { signal } = time;
  const [ground, unattended, webhookFault] = await Promise.all([
    readGround(client, time),
    whyUnattended(client, signal),
    whyWebhookFails(client, signal),
  ]);
  const facts = await factsOf(client, wanted, ground, signal);
  return facts && { unattended, webhookFault, ...facts };
}

interface Moment {
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** What there is of all peers. */
interface Ground {
  readonly nowMs: number;
  readonly virtualNodes: readonly Stored<VirtualNode>[];
  readonly slices: readonly Stored<ResourceSlice>[];
  /** Of providers, for this cluster. */
  readonly offers: readonly Stored<Advertisement>[];
  readonly identities: readonly Stored<Identity>[];
  readonly foreignClusters: readonly Stored<ForeignCluster>[];
}

async function readGround(client: Client, { nowMs, signal }: Moment): Promise<Ground> {
  const [virtualNodes, slices, offers, identities, foreignClusters] = await Promise.all([
    client.list(VirtualNode, signal),
    client.list(ResourceSlice, signal),
    // A cluster that runs Liqo v1.2 does not know the kind.
    ifServed(client.list(Advertisement, signal), { items: [], resourceVersion: '' }),
    client.list(Identity, signal),
    client.list(ForeignCluster, signal),
  ]);
  return {
    nowMs,
    virtualNodes: virtualNodes.items,
    slices: slices.items.filter((slice) => !isCopy(slice)),
    offers: offers.items.filter((offer) => !isOwnOffer(offer)),
    identities: identities.items,
    foreignClusters: foreignClusters.items,
  };
}

type SubjectFacts = Omit<ChainFacts, 'unattended' | 'webhookFault'>;

async function factsOf(
  client: Client,
  { kind, name, namespace }: Wanted,
  ground: Ground,
  signal: AbortSignal,
): Promise<SubjectFacts | undefined> {
  const routesTo = (virtualNodes: readonly Stored<VirtualNode>[]) =>
    readRoutes(client, virtualNodes, ground, signal);
  const inNamespace = ({ metadata }: Stored<KubeObject>) =>
    namespace === undefined || metadata.namespace === namespace;
  switch (kind) {
    case 'pod':
      return readPod(client, { namespace: namespace ?? 'default', name }, ground, signal);
    case 'deployment':
    case 'replicaset':
    case 'statefulset':
    case 'job': {
      const key = { kind, namespace: namespace ?? 'default', name };
      return readWorkloadFacts(client, key, ground, signal);
    }
    case 'namespace': {
      const facts = await readNamespace(client, name, signal);
      if (!facts.namespace) return undefined;
      return { ...facts, routes: await routesTo(selected(facts, ground)) };
    }
    case 'node':
    case 'virtualnode': {
      const found = ground.virtualNodes.filter(
        (one) => one.metadata.name === name && (kind === 'node' || inNamespace(one)),
      );
      return found.length > 0 ? { routes: await routesTo(found) } : undefined;
    }
    case 'resourceslice': {
      const slice = ground.slices.find((one) => one.metadata.name === name && inNamespace(one));
      if (!slice) return undefined;
      const routes = await routesTo(virtualNodesOf(slice, ground.virtualNodes));
      return { slice, foreignCluster: peerOf(slice.spec?.providerClusterID, ground), routes };
    }
    case 'advertisement': {
      const names = [name, advertisementName(name)];
      const offer = ground.offers.find(
        (one) => names.includes(one.metadata.name) && inNamespace(one),
      );
      if (!offer) return undefined;
      const foreignCluster = peerOf(offer.spec.providerClusterID, ground);
      const nodes = ground.virtualNodes.filter((node) => isOfOffer(node, offer));
      return { offer, foreignCluster, routes: await routesTo(nodes) };
    }
    case 'foreigncluster': {
      const foreignCluster = peerOf(name, ground);
      const nodes = ground.virtualNodes.filter(({ spec }) => spec.clusterID === name);
      if (!foreignCluster && nodes.length === 0) return undefined;
      return { foreignCluster, routes: await routesTo(nodes) };
    }
  }
}

async function readPod(
  client: Client,
  key: ObjectKey,
  ground: Ground,
  signal: AbortSignal,
): Promise<SubjectFacts | undefined> {
  const pod = await client.get(Pod, key, signal);
  return pod && podFacts(client, pod, ground, signal);
}

/** Of the first of its pods that is not well; of a pod that is yet to be created, if there is none. */
async function readWorkloadFacts(
  client: Client,
  key: Parameters<typeof readWorkload>[1],
  ground: Ground,
  signal: AbortSignal,
): Promise<SubjectFacts | undefined> {
  const found = await readWorkload(client, key, signal);
  if (!found) return undefined;
  const { workload, pods } = found;
  const sick = pods.find(({ status }) => !isConditionTrue(status?.conditions, 'Ready'));
  const pod = workload.pods < workload.wantedPods ? sick : (sick ?? pods[0]);
  if (pod) return { workload, ...(await podFacts(client, pod, ground, signal)) };
  const facts = await readNamespace(client, key.namespace ?? '', signal);
  const routes = await readRoutes(client, selected(facts, ground), ground, signal);
  return { workload, ...facts, ...elsewhere(ground), routes };
}

/** What could become a virtual node. */
function elsewhere({ virtualNodes, offers, foreignClusters }: Ground) {
  if (virtualNodes.length > 0) return {};
  return { offer: offers[0], peerID: foreignClusters[0]?.spec?.clusterID };
}

async function podFacts(
  client: Client,
  pod: Stored<Pod>,
  ground: Ground,
  signal: AbortSignal,
): Promise<SubjectFacts> {
  const { namespace = '' } = pod.metadata;
  const facts = await readNamespace(client, namespace, signal);
  const { nodeName } = pod.spec ?? {};
  const nodes = nodeName
    ? ground.virtualNodes.filter(({ metadata }) => metadata.name === nodeName)
    : selected(facts, ground);
  const routes = await readRoutes(client, nodes, ground, signal);
  return { pod, ...facts, ...elsewhere(ground), routes };
}

type NamespaceFacts = Pick<ChainFacts, 'namespace' | 'offloading'>;

async function readNamespace(
  client: Client,
  name: string,
  signal: AbortSignal,
): Promise<NamespaceFacts> {
  const key = { namespace: name, name: fixedNames.namespaceOffloading };
  const [namespace, offloading] = await Promise.all([
    client.get(Namespace, { name }, signal),
    client.get(NamespaceOffloading, key, signal),
  ]);
  return { namespace, offloading };
}

/** The virtual nodes that pods of the namespace may go to; all of them where it has no selector. */
function selected(
  { offloading }: NamespaceFacts,
  { virtualNodes }: Ground,
): readonly Stored<VirtualNode>[] {
  const selector = offloading?.spec?.clusterSelector;
  if (!selector?.nodeSelectorTerms.length) return virtualNodes;
  const matching = virtualNodes.filter(({ metadata, spec }) =>
    matchesNodeSelector(selector, {
      metadata: {
        name: metadata.name,
        labels: { ...spec.labels, [labels.remoteClusterID]: spec.clusterID ?? '' },
      },
    }),
  );
  return matching.length > 0 ? matching : virtualNodes;
}

/** One after the other: there may be hundreds. */
async function readRoutes(
  client: Client,
  virtualNodes: readonly Stored<VirtualNode>[],
  ground: Ground,
  signal: AbortSignal,
): Promise<readonly Route[]> {
  const routes: Route[] = [];
  for (const one of virtualNodes) routes.push(await readRoute(client, one, ground, signal));
  return routes;
}

async function readRoute(
  client: Client,
  virtualNode: Stored<VirtualNode>,
  ground: Ground,
  signal: AbortSignal,
): Promise<Route> {
  const { name, namespace } = virtualNode.metadata;
  const secretName = virtualNode.spec.kubeconfigSecretRef?.name;
  const slice = ground.slices.find((one) => virtualNodesOf(one, [virtualNode]).length > 0);
  const identityName = slice && resourceSliceIdentityName(slice.metadata.name);
  const [node, secret] = await Promise.all([
    client.get(Node, { name }, signal),
    secretName === undefined
      ? undefined
      : readable(client, Secret, { namespace, name: secretName }, signal),
  ]);
  const identity = ground.identities.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === identityName,
  );
  return {
    virtualNode,
    node,
    slice,
    offer: ground.offers.find((offer) => isOfOffer(virtualNode, offer)),
    identity,
    certificateExpired: identity && whenExpired(identity, ground.nowMs),
    hasKubeconfig: secret === 'unseen' ? undefined : secret?.data?.kubeconfig !== undefined,
    foreignCluster: peerOf(virtualNode.spec.clusterID, ground),
  };
}

function isOfOffer({ metadata }: Stored<VirtualNode>, offer: Stored<Advertisement>): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === offer.metadata.uid) ?? false;
}

function whenExpired(identity: Stored<Identity>, nowMs: number): string | undefined {
  const [certificate] = describeCertificate(identity);
  return certificate && Date.parse(certificate.expires) <= nowMs ? certificate.expires : undefined;
}

function peerOf(clusterID: string | undefined, { foreignClusters }: Ground) {
  return foreignClusters.find(({ spec }) => spec?.clusterID === clusterID);
}

/** `unseen` without the right to read it. */
async function readable<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<Stored<T> | undefined | 'unseen'> {
  try {
    return await client.get(kind, key, signal);
  } catch (error) {
    if (isForbidden(error)) return 'unseen';
    throw error;
  }
}

/** What `gatherFacts` reads, of all peers, slices, virtual nodes and offloaded namespaces at once. */
export async function gatherAllFacts(client: Client, time: Moment) {
  const { signal } = time;
  const [ground, unattended, webhookFault, offloadings] = await Promise.all([
    readGround(client, time),
    whyUnattended(client, signal),
    whyWebhookFails(client, signal),
    client.list(NamespaceOffloading, signal),
  ]);
  const inTenant = (kind: SubjectKind) => (object: Stored<KubeObject>) => ({
    kind,
    name: object.metadata.name,
    namespace: object.metadata.namespace,
  });
  const subjects: readonly Wanted[] = [
    ...ground.foreignClusters.map(inTenant('foreigncluster')),
    ...ground.slices.map(inTenant('resourceslice')),
    ...ground.offers.map(inTenant('advertisement')),
    ...ground.virtualNodes.map(inTenant('virtualnode')),
    ...offloadings.items.map(({ metadata }) => ({
      kind: 'namespace' as const,
      name: metadata.namespace ?? '',
      namespace: undefined,
    })),
  ];
  const objects = [];
  for (const subject of subjects) {
    const facts = await factsOf(client, subject, ground, signal);
    if (facts) objects.push({ subject, facts: { unattended, webhookFault, ...facts } });
  }
  return { unattended, webhookFault, objects };
}
