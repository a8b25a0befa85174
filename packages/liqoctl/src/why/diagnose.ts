import { fixedNames, labels, virtualNodeTaint } from '@liqo/api';
import { controllerManagerName } from '../info/server-version.ts';
import { broken, type ChainFacts, type Link, type Route } from './chain.ts';
import { judgeNamespace } from './judge-namespace.ts';
import { judgeNode } from './judge-node.ts';
import { offerLink } from './judge-offer.ts';
import { podLink, quotaLink } from './judge-pod.ts';
import { apiServerLink, judgeRoute, peerLink, sliceLink } from './judge-route.ts';
import { workloadLink } from './judge-workload.ts';
import { tolerates } from './tolerates.ts';

export interface Diagnosis {
  /** From the object that was asked about down to the API server of the provider. */
  readonly chain: readonly Link[];
  /** The link that is broken by itself; undefined if all links hold. */
  readonly cause: Link | undefined;
}

/** Walks the chain, and finds the first broken link that no broken link behind it explains. */
export function diagnose(facts: ChainFacts): Diagnosis {
  const chain = facts.routes.length > 0 ? bestChain(facts) : chainOf(facts, undefined);
  return { chain, cause: findCause(chain, facts) };
}

function findCause(chain: readonly Link[], { unattended }: ChainFacts): Link | undefined {
  const faults = chain.filter(({ problem }) => problem !== undefined);
  const cause = faults.find(({ problem }) => problem?.mayFollow !== true) ?? faults.at(-1);
  if (!cause?.problem?.isPending || !unattended) return cause;
  const { why, command } = unattended;
  return {
    link: 'controllers',
    object: `Deployment "${controllerManagerName}"`,
    problem: broken('ControllersNotRunning', why, command),
  };
}

/** A pod without a Node can go to any of them: one that holds is enough. */
function bestChain(facts: ChainFacts): readonly Link[] {
  const chains = facts.routes.map((route) => chainOf(facts, route));
  const holds = (chain: readonly Link[]) =>
    chain.every(({ link, problem }) => problem === undefined || link === 'pod');
  return chains.find(holds) ?? chains[0] ?? [];
}

function chainOf(facts: ChainFacts, route: Route | undefined): readonly Link[] {
  const { workload, pod, slice, offer, foreignCluster } = facts;
  const isBound = Boolean(pod?.spec?.nodeName);
  const isLocal = isBound && pod?.spec?.nodeName !== route?.virtualNode.metadata.name;
  const podFacts = pod && { pod, isOffloaded: isBound && !isLocal };
  const above = [
    ...(workload ? [workloadLink(workload)] : []),
    ...(podFacts ? [podLink(podFacts)] : []),
    ...namespaceLinks(facts, route),
    ...webhookLinks(facts),
  ];
  if (isLocal) return above;
  if (!route) {
    return [
      ...above,
      ...(pod || workload ? [noVirtualNode(facts)] : []),
      ...(slice ? [sliceLink(slice)] : []),
      ...(offer ? [offerLink(offer)] : []),
      ...(foreignCluster ? [peerLink(foreignCluster), apiServerLink(foreignCluster)] : []),
    ];
  }
  const quota = podFacts ? [quotaLink(podFacts, route.slice)] : [];
  return [...above, judgeNode(route, pod), ...insertBefore(judgeRoute(route), 'identity', quota)];
}

function namespaceLinks(facts: ChainFacts, route: Route | undefined): readonly Link[] {
  const { namespace, offloading, pod } = facts;
  if (!namespace) return [];
  const providerID = pod?.spec?.nodeName ? route?.virtualNode.spec.clusterID : undefined;
  const problem = judgeNamespace({ namespace, offloading, providerID });
  return [{ link: 'namespace', object: `Namespace "${namespace.metadata.name}"`, problem }];
}

/** Of pods that are yet to be created, or that were created without the toleration. */
function webhookLinks({ namespace, offloading, pod, webhookFault }: ChainFacts): readonly Link[] {
  if (!namespace || !isAskedAbout({ namespace, offloading })) return [];
  if (pod && tolerates(pod.spec?.tolerations, virtualNodeTaint)) return [];
  const object = `MutatingWebhookConfiguration "${fixedNames.webhook}"`;
  if (!webhookFault) return pod ? [] : [{ link: 'webhook', object }];
  const { reason, why, command } = webhookFault;
  return [{ link: 'webhook', object, problem: broken(reason, why, command) }];
}

/** Whether the API server asks the webhook about the pods of a namespace. */
function isAskedAbout({ namespace, offloading }: Pick<ChainFacts, 'namespace' | 'offloading'>) {
  if (offloading) return offloading.spec.podOffloadingStrategy !== 'Local';
  return namespace?.metadata.labels?.[labels.enabled] === 'true';
}

/** With an offer that waits, that is the cause. */
function noVirtualNode({ offer, peerID }: ChainFacts): Link {
  const command =
    peerID === undefined
      ? 'liqoctl peer --remote-kubeconfig FILE'
      : `liqoctl create resourceslice ${peerID} --remote-cluster-id ${peerID}`;
  const evidence = 'this cluster has no virtual node';
  const mayFollow = offer !== undefined;
  const problem = broken('NoVirtualNode', evidence, command, { mayFollow });
  return { link: 'virtual node', object: 'VirtualNode', problem };
}

function insertBefore(links: readonly Link[], name: string, added: readonly Link[]) {
  const at = links.findIndex(({ link }) => link === name);
  return [...links.slice(0, at), ...added, ...links.slice(at)];
}
